/** The errors of dex, and what the errors of Node and SQLite say: their codes, and whether they ended a request. */

/** Longer than any path. A longer message repeats what somebody pasted. */
const MAX_MESSAGE_CHARS = 4500;
const SHOWN_WORD_CHARS = 200;
const LONG_WORD = new RegExp(`\\S{${SHOWN_WORD_CHARS + 1},}`, "g");

/** The one error type: a code for programs, a sentence for people, a hint with the next step. */
export class DexError extends Error {
  /** For programs: `bad_input`. docs/reference/errors.md lists all codes. */
  readonly code: string;
  /** The next step for the user. */
  readonly hint: string | undefined;
  /** Process exit status when this error ends a command: 1 nothing found, 2 usage or failure. */
  readonly exitCode: 1 | 2;

  constructor(code: string, message: string, options: { hint?: string; exitCode?: 1 | 2; cause?: unknown } = {}) {
    super(bounded(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "DexError";
    this.code = code;
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? 2;
  }
}

/** Errors quote what was typed, which may be a megabyte: the beginning says what it was. */
function bounded(message: string): string {
  if (message.length <= MAX_MESSAGE_CHARS) return message;
  const short = message.replace(LONG_WORD, (word) => `${word.slice(0, SHOWN_WORD_CHARS)}…`);
  return short.length <= MAX_MESSAGE_CHARS ? short : `${short.slice(0, MAX_MESSAGE_CHARS)}…`;
}

/** The same error, with another sentence after its hint. */
export function withFurtherHint(error: DexError, sentence: string): DexError {
  const { hint, exitCode, cause } = error;
  return new DexError(error.code, error.message, {
    hint: hint === undefined ? sentence : `${hint} ${sentence}`,
    exitCode,
    cause,
  });
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whatever was thrown, as an Error. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** The error of a request that a signal ended: it was cancelled, or it took too long. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}

/** The `code` of a Node system error (ENOENT, ENOSPC, …), or undefined. */
export function systemCode(error: unknown): string | undefined {
  // Another context of `node:vm` has error classes of its own.
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** SQLite's primary result codes that dex tells apart (https://sqlite.org/rescode.html). */
export const SQLITE_BUSY = 5;
export const SQLITE_LOCKED = 6;
export const SQLITE_READONLY = 8;
export const SQLITE_IOERR = 10;
export const SQLITE_CORRUPT = 11;
export const SQLITE_FULL = 13;
export const SQLITE_CANTOPEN = 14;
export const SQLITE_NOTADB = 26;

/** The primary result code of an error of node:sqlite, or undefined. Extended codes carry it in their lowest byte. */
export function sqliteCode(error: unknown): number | undefined {
  if (systemCode(error) !== "ERR_SQLITE_ERROR") return undefined;
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === "number" ? errcode & 0xff : undefined;
}
