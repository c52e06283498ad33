/**
 * The state that a reader keeps for its next read is stored in the index, so it must not hold a secret either. Texts that
 * only become a title are redacted; readers keep them whole, so that no secret in them is cut. Any other text may be
 * compared with later records, which a redacted text cannot be: then no state is kept, and the next read begins at the
 * beginning.
 */
import type { Json } from "../kernel/json.ts";
import { redactText } from "../redact/redact.ts";

/** The members in which readers keep candidates for the title. */
const TITLES = new Set(["prompt", "custom", "ai", "summary", "agentName", "title", "name"]);
/** No secret and no private block is shorter. */
const MIN_SECRET_CHARACTERS = 10;

export function keptState(state: Json | undefined): Json | undefined {
  return state === undefined ? undefined : cleaned(state, "");
}

/** Undefined when the value cannot be kept. A value without secrets comes back as it is. */
function cleaned(value: Json, key: string): Json | undefined {
  if (typeof value === "string") {
    if (value.length < MIN_SECRET_CHARACTERS) return value;
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
    if (clean === undefined || cleaned(name, "") === undefined) return undefined;
    entries.push([name, clean]);
  }
  return Object.fromEntries(entries);
}
