/** Completes the digests of a block whose reader created only a part of them. */
import type { Message } from "../../conversations/model.ts";
import type { MessageDigest } from "../../store/index_writer.ts";
import type { Digester, FactDigest, WordDigest } from "./digest.ts";

const NEWLINE = 0x0a;

/** `lines`: the archived lines of the messages in UTF-8. `facts`: undefined if the reader left them to this thread. */
export function completeDigests(
  digester: Digester,
  lines: Uint8Array<ArrayBuffer>,
  words: readonly WordDigest[],
  facts: readonly FactDigest[] | undefined,
): MessageDigest[] {
  if (facts) return words.map((each, i) => ({ ...each, ...(facts[i] as FactDigest) }));
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
  let start = 0;
  return words.map((each) => {
    const end = bytes.indexOf(NEWLINE, start);
    const message = JSON.parse(bytes.toString("utf8", start, end)) as Message;
    const digest = { ...each, ...digester.facts(message, bytes.subarray(start, end)) };
    start = end + 1;
    return digest;
  });
}
