/** How a tool call ended, as far as its result shows. */
import type { ToolResultPart } from "../model.ts";

/** `interrupted`: the user stopped or rejected it, or it was killed, which says nothing about success. */
export type CallOutcome = "passed" | "failed" | "interrupted";

/** Ended by SIGINT, SIGKILL or SIGTERM: stopped from outside. */
const KILLED = new Set([130, 137, 143]);
/** Length of the start and end of the output that are examined. */
const EXAMINED_CHARS = 400;
const STOPPED =
  /^(?:\[Request interrupted|The user (?:doesn't|does not|did not) want|The user (?:rejected|denied|cancell?ed|interrupted)|(?:(?:Command|Tool execution|Operation) (?:was )?)?(?:aborted|interrupted|cancell?ed)\b)|\b(?:interrupted|aborted|cancell?ed|rejected|denied) by (?:the )?user\b/i;

export function outcomeOf({ exit_code: code, is_error: isError, output }: ToolResultPart): CallOutcome {
  if (code === 0 || (code === undefined && isError !== true)) return "passed";
  if (code !== undefined && KILLED.has(code)) return "interrupted";
  const ends =
    output.length <= 2 * EXAMINED_CHARS
      ? output
      : `${output.slice(0, EXAMINED_CHARS)}\n${output.slice(-EXAMINED_CHARS)}`;
  return STOPPED.test(ends.trimStart()) ? "interrupted" : "failed";
}
