/** Compares the messages that a source gives with the stored ones. */
import type { MessageHashes } from "./digest.ts";

/** One message alone may be said twice. */
const MIN_COMMON_MESSAGES = 2;

/**
 * How many of the first stored messages the source no longer has: the others begin as the source does now, up to their
 * end or that of the block. Zero if the source begins in another way.
 */
export function droppedMessages(stored: readonly MessageHashes[], facts: readonly MessageHashes[]): number {
  if (stored.length === 0 || stored[0]?.hash === facts[0]?.hash) return 0;
  for (let first = 1; first + MIN_COMMON_MESSAGES <= stored.length; first += 1) {
    const count = Math.min(facts.length, stored.length - first);
    if (count < MIN_COMMON_MESSAGES) return 0;
    let same = 0;
    while (same < count && stored[first + same]?.hash === facts[same]?.hash) same += 1;
    if (same === count) return first;
  }
  return 0;
}

/** Whether the message adds nothing to the stored one. A message without usage does not remove the stored usage. */
export function isKnown(stored: MessageHashes | undefined, digest: MessageHashes | undefined): boolean {
  if (!stored || stored.hash !== digest?.hash) return false;
  return digest.usage_hash === 0 || digest.usage_hash === stored.usage_hash;
}
