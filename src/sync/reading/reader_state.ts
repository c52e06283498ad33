/**
 * Redacts the resume state of a reader, which is stored in the index. Candidates for a title are redacted; readers keep
 * them whole, so no secret is cut. Other texts may be compared with later records, which does not work with redacted
 * text: if one has a secret, no state is stored, and the next read starts from the beginning.
 */
import type { Json } from "../../kernel/json.ts";
import { redactText } from "../../redact/redact.ts";

/** Members that hold candidates for the title. */
const TITLES = new Set(["prompt", "custom", "ai", "summary", "agentName", "title", "name"]);
/** Secrets and private blocks are never shorter. */
const MIN_SECRET_CHARACTERS = 10;

export function storableState(state: Json | undefined): Json | undefined {
  return state === undefined ? undefined : cleaned(state, "");
}

/** Undefined if the value cannot be stored. A value without secrets is returned unchanged. */
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
