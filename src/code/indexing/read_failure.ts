/** Errors of reader threads. A DexError keeps its code and hint across threads; any other error names the file. */
import { DexError, errorMessage } from "../../kernel/errors.ts";

export interface ReadFailure {
  message: string;
  /** Set for a DexError. */
  code?: string;
  hint?: string;
}

export function failureOf(error: unknown): ReadFailure {
  const message = errorMessage(error);
  return error instanceof DexError ? { message, code: error.code, hint: error.hint } : { message };
}

export function errorOf(path: string, failure: ReadFailure): DexError {
  if (failure.code !== undefined) return new DexError(failure.code, failure.message, { hint: failure.hint });
  return new DexError("code_reader", `dex cannot index ${path}: ${failure.message}`, {
    hint: "Run `dex code index` again. If it fails on the same file again, please report it.",
  });
}
