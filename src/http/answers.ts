/** Answers of the API: JSON as `--json` prints it, and errors as `{code, message, hint}` with a fitting status. */
import type { ServerResponse } from "node:http";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { errorForPrograms } from "../operations/shared/for_programs.ts";
import { jsonText } from "../text/clean.ts";
import { SECURITY_HEADERS } from "./headers.ts";

export interface ApiError {
  status: number;
  code: string;
  message: string;
  hint?: string | undefined;
  /** With 405: the methods that the path has. */
  allow?: string;
}

/** Failures of this machine, not of the request. */
const OWN_FAILURES = ["not_writable", "disk_full", "quota_exceeded", "disk_failure", "cannot_open", "corrupt_index"];

/** The statuses of codes whose name does not tell the status. */
const STATUS_OF: Readonly<Record<string, number>> = {
  ...Object.fromEntries(OWN_FAILURES.map((code) => [code, 500])),
  busy: 409,
  needs_yes: 409,
  forbidden: 403,
  not_on_web: 403,
  no_token: 401,
  too_large: 413,
  not_found: 404,
  thread_died: 500,
  threads_died: 503,
  unexpected: 500,
};

export function apiError(error: unknown): ApiError {
  if (!(error instanceof DexError)) return { status: 500, code: "unexpected", message: errorMessage(error) };
  const { code, message, hint } = errorForPrograms(error);
  return { status: STATUS_OF[code] ?? statusOf(code), code, message, hint };
}

/** The first word of a code tells whether the request was wrong or names something that does not exist. */
function statusOf(code: string): number {
  if (/^(?:bad|missing|ambiguous)_/.test(code)) return 400;
  if (/^(?:unknown|no|not)_/.test(code)) return 404;
  if (/^(?:damaged|unreadable)_/.test(code)) return 500;
  return 422;
}

/** `text` is JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string>,
): void {
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    ...headers,
  });
  response.end(text);
}

export function sendError(response: ServerResponse, error: ApiError): void {
  // After a refusal, the rest of the request is not read.
  const headers: Record<string, string> = error.status === 413 || error.status === 403 ? { Connection: "close" } : {};
  if (error.status === 401) headers["WWW-Authenticate"] = 'Bearer realm="dex"';
  if (error.allow !== undefined) headers.Allow = error.allow;
  sendJson(response, error.status, `${jsonText(errorBody(error))}\n`, headers);
}

export function errorBody({ code, message, hint }: ApiError): { code: string; message: string; hint?: string } {
  return { code, message, ...(hint === undefined ? {} : { hint }) };
}
