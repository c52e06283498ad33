/**
 * The digests of a block as they cross threads: a few arrays of numbers, which are handed over, and a few strings. Copying
 * every digest as an object takes a tenth of a reader's time.
 */
import { ROLES } from "../../conversations/model.ts";
import type { MessageDigest } from "../../store/ports.ts";

export interface PackedDigests {
  /** `NUMBERS` for each message. */
  numbers: Float64Array<ArrayBuffer>;
  heads: string[];
  /** Of all messages, one after the other. */
  terms: Uint32Array<ArrayBuffer>;
  orders: Uint16Array<ArrayBuffer>;
  vectors: Int8Array<ArrayBuffer>;
  /** JSON of the lists that most messages have none of: the index of a message, and its lists. */
  lists: string;
}

type Lists = Pick<MessageDigest, "files" | "commits" | "shell_calls" | "shell_results" | "requests">;
type ListedMessage = [index: number, lists: Lists];

const NUMBERS = 11;
const NO_VECTORS = new Int8Array();

export function packDigests(digests: readonly MessageDigest[]): PackedDigests {
  const numbers = new Float64Array(digests.length * NUMBERS);
  const listed: ListedMessage[] = [];
  let termCount = 0;
  let orderCount = 0;
  let vectorCount = 0;
  for (const [i, digest] of digests.entries()) {
    const { terms, order, vectors = NO_VECTORS } = digest;
    const row = [
      ROLES.indexOf(digest.role),
      digest.time ?? Number.NaN,
      digest.tokens,
      digest.tokens_stripped,
      digest.tokens_user,
      digest.hash,
      digest.usage_hash,
      digest.length,
      terms.length,
      order?.length ?? 0,
      vectors.length,
    ];
    numbers.set(row, i * NUMBERS);
    termCount += terms.length;
    orderCount += order?.length ?? 0;
    vectorCount += vectors.length;
    const { files, commits, shell_calls, shell_results, requests } = digest;
    if (files.length + commits.length + shell_calls.length + shell_results.length + requests.length > 0)
      listed.push([i, { files, commits, shell_calls, shell_results, requests }]);
  }
  const packed: PackedDigests = {
    numbers,
    heads: digests.map(({ head }) => head),
    terms: new Uint32Array(termCount),
    orders: new Uint16Array(orderCount),
    vectors: new Int8Array(vectorCount),
    lists: JSON.stringify(listed),
  };
  let termAt = 0;
  let orderAt = 0;
  let vectorAt = 0;
  for (const { terms, order, vectors } of digests) {
    packed.terms.set(terms, termAt);
    termAt += terms.length;
    if (order) {
      packed.orders.set(order, orderAt);
      orderAt += order.length;
    }
    if (vectors) {
      packed.vectors.set(vectors, vectorAt);
      vectorAt += vectors.length;
    }
  }
  return packed;
}

/** The memory that goes to the other thread. */
export function packedBuffers({ numbers, terms, orders, vectors }: PackedDigests): ArrayBuffer[] {
  return [numbers.buffer, terms.buffer, orders.buffer, vectors.buffer];
}

export function unpackDigests({ numbers, heads, terms, orders, vectors, lists }: PackedDigests): MessageDigest[] {
  const listed = new Map(JSON.parse(lists) as ListedMessage[]);
  let termAt = 0;
  let orderAt = 0;
  let vectorAt = 0;
  return heads.map((head, i): MessageDigest => {
    const [role = 0, time = 0, tokens = 0, stripped = 0, user = 0, hash = 0, usage = 0, length = 0, ...counts] =
      numbers.subarray(i * NUMBERS, (i + 1) * NUMBERS);
    const [termCount = 0, orderCount = 0, vectorCount = 0] = counts;
    termAt += termCount;
    orderAt += orderCount;
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
      length,
      terms: terms.subarray(termAt - termCount, termAt),
      order: orderCount === 0 ? undefined : orders.subarray(orderAt - orderCount, orderAt),
      vectors: vectors.subarray(vectorAt - vectorCount, vectorAt),
      ...(listed.get(i) ?? NO_LISTS),
    };
  });
}

const NO_LISTS: Lists = { files: [], commits: [], shell_calls: [], shell_results: [], requests: [] };
