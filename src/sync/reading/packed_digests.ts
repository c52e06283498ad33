/**
 * The digests of a block as they cross threads: a few arrays of numbers, which are handed over, and a few strings. Copying
 * every digest as an object takes a tenth of a reader's time.
 */
import { ROLES } from "../../conversations/model.ts";
import type { FactDigest, WordDigest } from "../recording/digest.ts";

export interface PackedWords {
  /** `COUNTS` for each message. */
  counts: Uint32Array<ArrayBuffer>;
  /** Of all messages, one after the other. */
  terms: Uint32Array<ArrayBuffer>;
  orders: Uint16Array<ArrayBuffer>;
}

export interface PackedFacts {
  /** `NUMBERS` for each message. */
  numbers: Float64Array<ArrayBuffer>;
  heads: string[];
  /** Of all messages, one after the other. */
  vectors: Int8Array<ArrayBuffer>;
  /** JSON of the lists that most messages have none of: the index of a message, and its lists. */
  lists: string;
}

type Lists = Pick<FactDigest, "files" | "commits" | "shell_calls" | "shell_results" | "requests">;
type ListedMessage = [index: number, lists: Lists];

const COUNTS = 3;
const NUMBERS = 8;
const NO_VECTORS = new Int8Array();

export function packWords(words: readonly WordDigest[]): PackedWords {
  const counts = new Uint32Array(words.length * COUNTS);
  let termCount = 0;
  let orderCount = 0;
  for (const [i, { length, terms, order }] of words.entries()) {
    counts.set([length, terms.length, order?.length ?? 0], i * COUNTS);
    termCount += terms.length;
    orderCount += order?.length ?? 0;
  }
  const packed: PackedWords = { counts, terms: new Uint32Array(termCount), orders: new Uint16Array(orderCount) };
  let termAt = 0;
  let orderAt = 0;
  for (const { terms, order } of words) {
    packed.terms.set(terms, termAt);
    termAt += terms.length;
    if (!order) continue;
    packed.orders.set(order, orderAt);
    orderAt += order.length;
  }
  return packed;
}

export function packFacts(facts: readonly FactDigest[]): PackedFacts {
  const numbers = new Float64Array(facts.length * NUMBERS);
  const listed: ListedMessage[] = [];
  let vectorCount = 0;
  for (const [i, digest] of facts.entries()) {
    const { vectors = NO_VECTORS } = digest;
    const row = [
      ROLES.indexOf(digest.role),
      digest.time ?? Number.NaN,
      digest.tokens,
      digest.tokens_stripped,
      digest.tokens_user,
      digest.hash,
      digest.usage_hash,
      vectors.length,
    ];
    numbers.set(row, i * NUMBERS);
    vectorCount += vectors.length;
    const { files, commits, shell_calls, shell_results, requests } = digest;
    if (files.length + commits.length + shell_calls.length + shell_results.length + requests.length > 0)
      listed.push([i, { files, commits, shell_calls, shell_results, requests }]);
  }
  const vectors = new Int8Array(vectorCount);
  let vectorAt = 0;
  for (const each of facts) {
    if (!each.vectors) continue;
    vectors.set(each.vectors, vectorAt);
    vectorAt += each.vectors.length;
  }
  return { numbers, heads: facts.map(({ head }) => head), vectors, lists: JSON.stringify(listed) };
}

/** The memory that goes to the other thread. */
export function packedBuffers({ counts, terms, orders }: PackedWords, facts: PackedFacts | undefined): ArrayBuffer[] {
  const buffers = [counts.buffer, terms.buffer, orders.buffer];
  return facts ? [...buffers, facts.numbers.buffer, facts.vectors.buffer] : buffers;
}

export function unpackWords({ counts, terms, orders }: PackedWords): WordDigest[] {
  let termAt = 0;
  let orderAt = 0;
  return Array.from({ length: counts.length / COUNTS }, (_, i): WordDigest => {
    const at = i * COUNTS;
    const orderCount = counts[at + 2] as number;
    const termFrom = termAt;
    const orderFrom = orderAt;
    termAt += counts[at + 1] as number;
    orderAt += orderCount;
    return {
      length: counts[at] as number,
      terms: terms.subarray(termFrom, termAt),
      order: orderCount === 0 ? undefined : orders.subarray(orderFrom, orderAt),
    };
  });
}

export function unpackFacts({ numbers, heads, vectors, lists }: PackedFacts): FactDigest[] {
  const listed = new Map(JSON.parse(lists) as ListedMessage[]);
  let vectorAt = 0;
  return heads.map((head, i): FactDigest => {
    const [role = 0, time = 0, tokens = 0, stripped = 0, user = 0, hash = 0, usage = 0, vectorCount = 0] =
      numbers.subarray(i * NUMBERS, (i + 1) * NUMBERS);
    vectorAt += vectorCount;
    return {
      role: ROLES[role] ?? "system",
      time: Number.isNaN(time) ? null : time,
      tokens,
      tokens_stripped: stripped,
      tokens_user: user,
      hash,
      usage_hash: usage,
      head,
      vectors: vectors.subarray(vectorAt - vectorCount, vectorAt),
      ...(listed.get(i) ?? NO_LISTS),
    };
  });
}

const NO_LISTS: Lists = { files: [], commits: [], shell_calls: [], shell_results: [], requests: [] };
