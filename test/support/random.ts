/** Random but repeatable values, for property tests. */

export type Random = () => number;

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** A whole number from `low` to `high`, both included. */
export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** A whole number from 0 up to `limit`, without it. */
export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

export type RandomLetters = (alphabet: string, length: number) => string;

/** Texts of letters of an alphabet. The seeds 1, 2, 3, … give texts that have nothing in common. */
export function seededLetters(seed: number): RandomLetters {
  const random = seeded((seed * 2654435761) >>> 0);
  return (alphabet, length) => Array.from({ length }, () => alphabet.charAt(below(random, alphabet.length))).join("");
}

/** A copy with at most `max` changed bytes, as a failing disk leaves it. */
export function flipped(random: Random, bytes: Buffer, max: number): Buffer {
  const copy = Buffer.from(bytes);
  if (copy.length === 0) return copy;
  for (let flips = between(random, 1, max); flips > 0; flips -= 1)
    copy[below(random, copy.length)] = below(random, 256);
  return copy;
}

const WORDS =
  "the a fix test token budget index conversation getUserById src/auth/login.ts npm run build error: undefined is not a function retry_count 2026-01-31T09:00:00Z const await return => {} [] (); 404 0x7f3a — “quoted” naïve 数据库 迁移 ошибка проверка 🙂 👩‍💻 deadbeefcafe1234".split(
    " ",
  );

/** Text as in conversations: prose, code, paths, other scripts, blank lines, now and then a very long line. */
export function randomText(random: Random, words: number): string {
  let text = "";
  for (let i = 0; i < words; i += 1) {
    const gap = random();
    const before = gap < 0.08 ? "\n" : gap < 0.1 ? "\n\n    " : gap < 0.11 ? "" : " ";
    text += (i === 0 ? "" : before) + pick(random, WORDS);
  }
  return text;
}
