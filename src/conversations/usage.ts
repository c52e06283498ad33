/**
 * The tokens that a request to a model used, as the agent recorded them. Readers translate an agent's own fields into
 * this form; the numbers come from foreign files, so `checkedUsage` is the only way into the archive.
 *
 * `input` excludes tokens from and for the cache, and `output` includes reasoning: the four amounts add up to all tokens.
 */
import { hash } from "node:crypto";
import { toIso } from "../kernel/time.ts";

export interface Usage {
  /** Identifies the request in every file that repeats it: a hash of the agent's own ids. */
  id?: string;
  /** If it differs from the message's. */
  model?: string;
  /** If it differs from the message's. */
  time?: string;
  input?: number;
  cache_read?: number;
  cache_write?: number;
  /** The part of `cache_write` that is kept for an hour, which costs more. */
  cache_write_1h?: number;
  output?: number;
  /** The part of `output` that was reasoning. */
  reasoning?: number;
  /** The number of requests, if the agent recorded only their sum. */
  requests?: number;
  /** Dollars, as the agent computed them. */
  cost?: number;
}

export const TOKEN_FIELDS = ["input", "cache_read", "cache_write", "cache_write_1h", "output", "reasoning"] as const;

/** More than any session has used; a larger number is an error of the file. */
const MAX_TOKENS = 1e10;
const MAX_REQUESTS = 1e6;
const MAX_DOLLARS = 1e6;
/** Records of one message. */
const MAX_RECORDS = 1000;

/** The id of a request from the agent's own ids; undefined if none of them is known. */
export function requestId(...ids: readonly (string | undefined)[]): string | undefined {
  if (ids.every((id) => id === undefined || id === "")) return undefined;
  return hash("sha1", JSON.stringify(ids), "hex").slice(0, 16);
}

/** Keeps the possible numbers and drops records without any; undefined if none is left. */
export function checkedUsage(usage: readonly Usage[] | undefined): Usage[] | undefined {
  if (usage === undefined) return undefined;
  const records: Usage[] = [];
  for (const each of usage.slice(0, MAX_RECORDS)) {
    const record = checkedRecord(each);
    if (record !== undefined) records.push(record);
  }
  return records.length === 0 ? undefined : records;
}

function checkedRecord(usage: Usage): Usage | undefined {
  const clean: Usage = {};
  if (typeof usage.id === "string" && usage.id !== "") clean.id = plainRequestId(usage.id);
  if (typeof usage.model === "string" && usage.model !== "") clean.model = usage.model;
  const time = toIso(usage.time);
  if (time !== undefined) clean.time = time;
  for (const field of TOKEN_FIELDS) {
    const count = possible(usage[field], MAX_TOKENS);
    if (count > 0) clean[field] = count;
  }
  limitToWhole(clean, "cache_write_1h", "cache_write");
  limitToWhole(clean, "reasoning", "output");
  const requests = possible(usage.requests, MAX_REQUESTS);
  if (requests > 1) clean.requests = requests;
  if (typeof usage.cost === "number" && usage.cost > 0 && usage.cost <= MAX_DOLLARS) clean.cost = usage.cost;
  const used = clean.cost !== undefined || TOKEN_FIELDS.some((field) => clean[field] !== undefined);
  return used ? clean : undefined;
}

/** Nothing for a number that is negative, infinite, not a number, or impossibly large. */
function possible(value: unknown, max: number): number {
  if (typeof value !== "number" || !(value > 0) || value > max) return 0;
  return Math.round(value);
}

function limitToWhole(usage: Usage, part: "cache_write_1h" | "reasoning", whole: "cache_write" | "output"): void {
  const count = usage[part];
  if (count === undefined) return;
  const limit = Math.min(count, usage[whole] ?? 0);
  if (limit > 0) usage[part] = limit;
  else delete usage[part];
}

function plainRequestId(id: string): string {
  return /^[0-9a-f]{16}$/.test(id) ? id : (requestId(id) ?? "");
}
