/**
 * What a reader wants to know the next time is kept in the index, and so it must hold no secret either. Words that only
 * become a title are redacted. Any other text may be compared with what comes later, which a redacted one cannot be: then
 * nothing is kept, and the next read begins at the beginning.
 */
import type { Json } from "../kernel/json.ts";
import { redactText } from "../redact/redact.ts";

/** Where readers keep what titles are made of. */
const TITLES = new Set(["prompt", "custom", "ai", "summary", "agentName", "title", "name"]);
/** Nothing shorter is a secret or holds a private stretch. */
const SHORTEST = 10;

export function keptState(state: Json | undefined): Json | undefined {
  return state === undefined ? undefined : cleaned(state, "");
}

/** Undefined: it holds something that cannot be kept. What is clean comes back as it is. */
function cleaned(value: Json, key: string): Json | undefined {
  if (typeof value === "string") {
    if (value.length < SHORTEST) return value;
    const { text, count } = redactText(value);
    return count === 0 ? value : TITLES.has(key) ? text : undefined;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => cleaned(item, key));
    return items.includes(undefined) ? undefined : (items as Json[]);
  }
  const entries: [string, Json][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const clean = cleaned(member, name);
    if (clean === undefined) return undefined;
    entries.push([name, clean]);
  }
  return Object.fromEntries(entries);
}
