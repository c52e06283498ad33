/** Names similar to a mistyped one: a few edits away, different in case only, or containing it. */
import { compareText, editDistance } from "../../kernel/text.ts";

const MAX_NAMES = 6;

export function nearNames(typed: string, names: readonly string[]): string[] {
  const small = typed.toLowerCase();
  const letters = lettersOf(small);
  const limit = Math.min(4, Math.max(2, Math.ceil(typed.length / 4) + 1));
  const found = new Map<string, number>();
  for (const name of names) {
    const other = name.toLowerCase();
    // Each edit changes at most two letters of the set: a cheap test that rejects most names.
    const mayBeNear =
      bits(lettersOf(other) ^ letters) <= 2 * (limit - 1) && Math.abs(other.length - small.length) < limit;
    const distance = mayBeNear ? editDistance(small, other, limit) : limit;
    if (distance < limit) found.set(name, distance);
    else if (small.length >= 4 && other.includes(small)) found.set(name, limit + other.length / 100);
  }
  return [...found.entries()]
    .sort((a, b) => a[1] - b[1] || compareText(a[0], b[0]))
    .slice(0, MAX_NAMES)
    .map(([name]) => name);
}

function lettersOf(text: string): number {
  let set = 0;
  for (let i = 0; i < text.length; i += 1) set |= 1 << (text.charCodeAt(i) & 31);
  return set;
}

function bits(value: number): number {
  let rest = value;
  let count = 0;
  while (rest !== 0) {
    rest &= rest - 1;
    count += 1;
  }
  return count;
}
