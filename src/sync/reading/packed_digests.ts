/**
 * Packs the facts of a block for the transfer between threads: an array of numbers, which is transferred, and a few
 * strings. Copying every digest as an object takes a tenth of a reader's time.
 */
import { ROLES } from "../../conversations/model.ts";
import type { FactDigest } from "../recording/digest.ts";

export interface PackedFacts {
  /** `NUMBERS` for each message. */
  numbers: Float64Array<ArrayBuffer>;
  heads: string[];
  /** The lists that most messages lack, as JSON: the index of a message, and its lists. */
  lists: string;
}

type Lists = Pick<FactDigest, "files" | "commits" | "shell_calls" | "shell_results" | "requests">;
type ListedMessage = [index: number, lists: Lists];

const NUMBERS = 6;

export function packFacts(facts: readonly FactDigest[]): PackedFacts {
  const numbers = new Float64Array(facts.length * NUMBERS);
  const listed: ListedMessage[] = [];
  for (const [i, digest] of facts.entries()) {
    const at = i * NUMBERS;
    numbers[at] = ROLES.indexOf(digest.role);
    numbers[at + 1] = digest.time ?? Number.NaN;
    numbers[at + 2] = digest.tokens;
    numbers[at + 3] = digest.tokens_stripped;
    numbers[at + 4] = digest.tokens_user;
    numbers[at + 5] = digest.usage_bytes;
    const { files, commits, shell_calls, shell_results, requests } = digest;
    if (files.length + commits.length + shell_calls.length + shell_results.length + requests.length > 0)
      listed.push([i, { files, commits, shell_calls, shell_results, requests }]);
  }
  return { numbers, heads: facts.map(({ head }) => head), lists: JSON.stringify(listed) };
}

export function unpackFacts({ numbers, heads, lists }: PackedFacts): FactDigest[] {
  const listed = new Map(JSON.parse(lists) as ListedMessage[]);
  return heads.map((head, i): FactDigest => {
    const at = i * NUMBERS;
    const time = numbers[at + 1] as number;
    const { files, commits, shell_calls, shell_results, requests } = listed.get(i) ?? NO_LISTS;
    return {
      role: ROLES[numbers[at] as number] ?? "system",
      time: Number.isNaN(time) ? null : time,
      tokens: numbers[at + 2] as number,
      tokens_stripped: numbers[at + 3] as number,
      tokens_user: numbers[at + 4] as number,
      usage_bytes: numbers[at + 5] as number,
      head,
      files,
      commits,
      shell_calls,
      shell_results,
      requests,
    };
  });
}

const NO_LISTS: Lists = { files: [], commits: [], shell_calls: [], shell_results: [], requests: [] };
