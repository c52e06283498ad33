/**
 * The tokens of each request. Codex writes a count after every answer: the tokens of that request and those of the whole
 * thread. It repeats the count when only a rate limit changed; then the total stays the same.
 */
import { requestId } from "../../../../conversations/usage.ts";
import { asNumber, asObject, isObject, type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { requestUsage } from "../../../history/building/usage.ts";
import { isInherited, type Reading } from "./reading.ts";

export function readTokens(reading: Reading, event: JsonObject): void {
  const { transcript, time } = reading;
  const { last_token_usage: last, total_token_usage: total } = asObject(event.info);
  const before = transcript.state.total;
  const after = isObject(total) ? JSON.stringify(total) : undefined;
  if (after !== undefined && after === before) return;
  if (after !== undefined) transcript.state = { ...transcript.state, total: after };
  const tokens = isObject(last) ? last : difference(asObject(total), asObject(parseJson(before ?? "null")));
  if (isInherited(reading)) return;
  const { turn, id: thread, model } = transcript.state;
  const id = after === undefined ? undefined : requestId(turn ?? thread, after);
  const facts = { ...(id ? { id } : {}), ...(model ? { model } : {}), ...(time ? { time } : {}) };
  const usage = requestUsage(tokens, { inputHasCache: true }, facts);
  if (usage) transcript.use(usage);
}

/** Old versions record only the total. */
function difference(total: JsonObject, before: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.keys(total).map((name) => [name, (asNumber(total[name]) ?? 0) - (asNumber(before[name]) ?? 0)]),
  );
}
