/** An error that a job threw, on its way from the thread to the owner of the pool: a `DexError` keeps its code and hint. */
import { DexError, errorMessage } from "../kernel/errors.ts";

export interface PostedError {
  message: string;
  code?: string | undefined;
  hint?: string | undefined;
  stack?: string | undefined;
}

export function postedError(error: unknown): PostedError {
  const { code, hint } = error instanceof DexError ? error : {};
  const stack = error instanceof Error ? error.stack : undefined;
  return { message: errorMessage(error), code, hint, stack };
}

export function receivedError({ code, hint, message, stack }: PostedError): Error {
  if (code !== undefined) return new DexError(code, message, { ...(hint === undefined ? {} : { hint }) });
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
