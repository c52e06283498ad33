/** How a call of a tool ended, as far as its result tells. */
import type { ToolResultPart } from "./model.ts";

/** `interrupted`: a person stopped or refused it, or it was killed. That says nothing about what it would have done. */
export type Outcome = "passed" | "failed" | "interrupted";

/** Ended by SIGINT, SIGKILL or SIGTERM: stopped from outside. */
const KILLED = new Set([130, 137, 143]);
const LOOKED_AT = 400;
const STOPPED =
  /^(?:\[Request interrupted|The user (?:doesn't|does not|did not) want|The user (?:rejected|denied|cancell?ed|interrupted)|(?:(?:Command|Tool execution|Operation) (?:was )?)?(?:aborted|interrupted|cancell?ed)\b)|\b(?:interrupted|aborted|cancell?ed|rejected|denied) by (?:the )?user\b/i;

export function outcomeOf({ exit_code: code, is_error: isError, output }: ToolResultPart): Outcome {
  if (code === 0 || (code === undefined && isError !== true)) return "passed";
  if (code !== undefined && KILLED.has(code)) return "interrupted";
  const said = output.length <= 2 * LOOKED_AT ? output : `${output.slice(0, LOOKED_AT)}\n${output.slice(-LOOKED_AT)}`;
  return STOPPED.test(said.trimStart()) ? "interrupted" : "failed";
}
