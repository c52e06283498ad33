/**
 * The tokens of an answer. Each record of an answer repeats its usage, and the output grows while it is streamed: the
 * greatest counts.
 */
import type { Message } from "../../../../conversations/model.ts";
import { requestId, type Usage } from "../../../../conversations/usage.ts";
import { asObject, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { requestUsage } from "../../../history/building/usage.ts";
import type { ResumeState } from "./resume_state.ts";

export function answerUsage(record: JsonObject, message: JsonObject): Usage[] | undefined {
  const recorded = asObject(message.usage);
  const name = firstString(message, "model");
  // Fast mode has its own price.
  const model = name !== undefined && recorded.speed === "fast" ? `${name}-fast` : name;
  const answer = firstString(message, "id");
  const id = answer === undefined ? undefined : requestId(answer, firstString(record, "requestId"));
  return requestUsage(recorded, {}, { id, time: toIso(record.timestamp), model });
}

/** Some versions report the answers of a subagent in the records of its parent, and write no others. */
export function progressUsage(record: JsonObject): Usage[] | undefined {
  const answer = asObject(asObject(record.data).message);
  return answerUsage(answer, asObject(answer.message));
}

const MAX_WAITING = 100;

/** The state with a usage that has no message of its own. Of records of the same answer, the greatest counts. */
export function waiting(state: ResumeState, usage: readonly Usage[] | undefined): ResumeState {
  if (!usage) return state;
  const known = state.usage ?? [];
  const isNew = (each: Usage): boolean =>
    !known.some(({ id, output = 0 }) => id !== undefined && id === each.id && output >= (each.output ?? 0));
  const added = usage.filter(isNew);
  if (added.length === 0) return state;
  const rest = known.filter(({ id }) => id === undefined || !added.some((each) => each.id === id));
  return { ...state, usage: [...rest, ...added].slice(-MAX_WAITING) };
}

/** Takes the usage of a record of the answer, unless the message has one of that request with as much output. */
export function withUsage(message: Message, usage: readonly Usage[] | undefined): Message {
  for (const each of usage ?? []) {
    const known = message.usage ?? [];
    const at = known.findIndex(({ id }) => id !== undefined && id === each.id);
    if (at < 0) message.usage = [...known, each];
    else if ((each.output ?? 0) > (known[at]?.output ?? 0)) message.usage = known.with(at, each);
  }
  return message;
}
