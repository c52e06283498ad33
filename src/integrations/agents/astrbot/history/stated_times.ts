/**
 * AstrBot tells the model in a prompt what time it is: in local time, to the minute, with a zone whose abbreviation stands
 * for several. The conversation's own times, which are in UTC, tell the offset: it must be the same at the first prompt,
 * with which the conversation begins, and at the last one, after which it was saved. Otherwise dex takes no time from them.
 */
import { asString, type JsonObject } from "../../../../kernel/json.ts";
import { blocksOf } from "../../../history/building/blocks.ts";

const STATED = /^<system_reminder>[^<]{0,2000}\bCurrent datetime: (\d{4}-\d\d-\d\d) (\d\d:\d\d)\b/;
const MINUTE_MS = 60_000;
/** Offsets of time zones are multiples of it. */
const STEP_MS = 15 * MINUTE_MS;
/** From the conversation's beginning to its first prompt. */
const MAX_BEGINNING_MS = 2 * MINUTE_MS;
const MAX_OFFSET_MS = 14 * 60 * MINUTE_MS;

/** The times of prompts, in UTC. */
export function statedTimes(
  records: readonly JsonObject[],
  created: string | undefined,
  updated: string | undefined,
): ReadonlyMap<JsonObject, string> {
  const local = records.flatMap((record) => {
    const time = record.role === "user" ? localTime(record) : undefined;
    return time === undefined ? [] : [{ record, time }];
  });
  const [first, last] = [local[0], local.at(-1)];
  if (!first || !last || created === undefined || updated === undefined) return new Map();
  const begun = first.time - Date.parse(created);
  const offset = nearest(begun);
  const isKnown =
    Math.abs(begun - offset) <= MAX_BEGINNING_MS &&
    Math.abs(offset) <= MAX_OFFSET_MS &&
    nearest(last.time - Date.parse(updated)) === offset;
  return isKnown
    ? new Map(local.map(({ record, time }) => [record, new Date(time - offset).toISOString()]))
    : new Map();
}

/** Milliseconds of the local time as if it were in UTC. */
function localTime({ content }: JsonObject): number | undefined {
  for (const block of blocksOf(content)) {
    const stated = STATED.exec(asString(block.text) ?? "");
    const time = stated ? Date.parse(`${stated[1]}T${stated[2]}:00Z`) : Number.NaN;
    if (!Number.isNaN(time)) return time;
  }
  return undefined;
}

function nearest(ms: number): number {
  return Math.round(ms / STEP_MS) * STEP_MS;
}
