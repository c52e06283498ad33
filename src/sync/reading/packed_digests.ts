/**
 * The facts of a block as they cross threads: an array of numbers, which is handed over, and a few strings. Copying every
 * digest as an object takes a tenth of a reader's time.
 */
import { ROLES } from "../../conversations/model.ts";
import type { FactDigest } from "../recording/digest.ts";

export interface PackedFacts {
  /** `NUMBERS` for each message. */
  numbers: Float64Array<ArrayBuffer>;
  heads: string[];
  /** JSON of the lists that most messages have none of: the index of a message, and its lists. */
  lists: string;
}

type Lists = Pick<FactDigest, "files" | "commits" | "shell_calls" | "shell_results" | "requests">;
type ListedMessage = [index: number, lists: Lists];

const NUMBERS = 7;

export function packFacts(facts: readonly FactDigest[]): PackedFacts {
  const numbers = new Float64Array(facts.length * NUMBERS);
  const listed: ListedMessage[] = [];
  for (const [i, digest] of facts.entries()) {
    const row = [
      ROLES.indexOf(digest.role),
      digest.time ?? Number.NaN,
      digest.tokens,
      digest.tokens_stripped,
      digest.tokens_user,
      digest.hash,
      digest.usage_hash,
    ];
    numbers.set(row, i * NUMBERS);
    const { files, commits, shell_calls, shell_results, requests } = digest;
    if (files.length + commits.length + shell_calls.length + shell_results.length + requests.length > 0)
      listed.push([i, { files, commits, shell_calls, shell_results, requests }]);
  }
  return { numbers, heads: facts.map(({ head }) => head), lists: JSON.stringify(listed) };
}

export function unpackFacts({ numbers, heads, lists }: PackedFacts): FactDigest[] {
  const listed = new Map(JSON.parse(lists) as ListedMessage[]);
  return heads.map((head, i): FactDigest => {
    const row = numbers.subarray(i * NUMBERS, (i + 1) * NUMBERS);
    const [role = 0, time = 0, tokens = 0, stripped = 0, user = 0, hash = 0, usage = 0] = row;
    return {
      role: ROLES[role] ?? "system",
      time: Number.isNaN(time) ? null : time,
      tokens,
      tokens_stripped: stripped,
      tokens_user: user,
      hash,
      usage_hash: usage,
      head,
      ...(listed.get(i) ?? NO_LISTS),
    };
  });
}

const NO_LISTS: Lists = { files: [], commits: [], shell_calls: [], shell_results: [], requests: [] };
