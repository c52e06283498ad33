/** State of a session that later events need from earlier ones, and the form in which dex saves it between two syncs. */
import { defined } from "../../../../kernel/defined.ts";
import { asNumber, asString, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { resumeCheck, savedPairs, savedResumeMark } from "../../../history/building/resume.ts";
import type { Mark, Transcript } from "../../../history/building/transcript.ts";
import type { Container } from "../../../history/source.ts";

export interface ResumeState {
  model?: string;
  /** The last calls: id and tool. */
  calls: [string, string][];
  /** The last prompts: the event's id and the index of its message. A rewind names one of them. */
  prompts: [string, number][];
  /** The title is a name, not the first prompt. */
  named?: boolean;
  /** The output tokens of the answers since the last sum of the session, by model. */
  output: [string, number][];
}

export type Reading = Transcript<ResumeState>;

export const NOTHING_READ: ResumeState = { calls: [], prompts: [], output: [] };

/** The mark as dex saves it; undefined: the next sync reads the session from its beginning. */
export function savedMark({ path, stamp }: Container, mark: Mark<ResumeState> | undefined): Json | undefined {
  if (!mark) return undefined;
  const { offset, index, state } = mark;
  return { offset, index, check: resumeCheck(path, offset), stamp, carry: { ...state } };
}

export function resumeMark(path: string, saved: JsonObject): Mark<ResumeState> | undefined {
  return savedResumeMark(path, saved, ({ model, calls, prompts, named, output }) =>
    defined({
      model: asString(model),
      calls: savedPairs(calls, asString),
      prompts: savedPairs(prompts, asNumber),
      named: named === true ? true : undefined,
      output: savedPairs(output, asNumber),
    }),
  );
}
