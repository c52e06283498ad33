/** Queries as people type them, derived from the corpus; the same for the same corpus. */
import { readFileSync } from "node:fs";
import type { Dex } from "../../src/dex.ts";
import { asString, isObject, parseJson } from "../../src/kernel/json.ts";
import { sharedData } from "../../test/support/program/dex.ts";
import { between, pick, type Random, seeded } from "../../test/support/random.ts";
import type { Library } from "./library.ts";

const READ_CONVERSATIONS = 60;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}_./-]{2,}/gu;
const MAX_QUERY_CHARS = 300;

/** Alternating: a title, a sentence of a message, two to four words of one, the longest word of one. */
export async function corpusQueries(library: Library, dex: Dex, count: number): Promise<string[]> {
  const random = seeded(7);
  const [list, show] = await Promise.all([library.operations.list(), library.operations.show()]);
  const { conversations } = await list.run(dex, list.input.parse({ limit: 10_000 }), {});
  const titles = conversations.map(({ title }) => title).filter(hasWord);
  const texts: string[] = [];
  for (let i = 0; i < READ_CONVERSATIONS; i += 1) {
    const input = show.input.parse({ ids: [addressOf(pick(random, conversations))], format: "user_only" });
    const shown = await show.run(dex, input, {});
    for (const { messages } of shown.conversations) texts.push(...messages.map(({ content }) => content));
  }
  const sentences = texts.flatMap((text) => text.split(/[\n.?!]\s/)).filter(hasWord);
  const makers = [
    () => pick(random, titles),
    () => pick(random, sentences),
    () => someWords(random, pick(random, sentences)),
    () => longestWord(pick(random, sentences)),
  ];
  return Array.from({ length: count }, (_, at) => (makers[at % makers.length]?.() ?? "").slice(0, MAX_QUERY_CHARS));
}

/** Real ones, spread evenly over the file; none if it is not next to this checkout. */
export function sharedQueries(count: number): string[] {
  const { path, skip } = sharedData("data", "sessions", "queries.jsonl");
  if (skip) return [];
  const queries = readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => {
      const value = parseJson(line);
      const query = isObject(value) ? asString(value.query) : undefined;
      return query === undefined || !hasWord(query) ? [] : [query];
    });
  const step = Math.max(1, queries.length / count);
  return Array.from({ length: Math.min(count, queries.length) }, (_, at) => queries[Math.floor(at * step)] ?? "");
}

/** Two agents may use the same id. */
export function addressOf({ source, id }: { source: string; id: string }): string {
  return `${source}:${id}`;
}

function hasWord(text: string): boolean {
  return text.search(WORD) >= 0;
}

function someWords(random: Random, text: string): string {
  const words = text.match(WORD) ?? [];
  const from = between(random, 0, Math.max(0, words.length - 2));
  return words.slice(from, from + between(random, 2, 4)).join(" ");
}

function longestWord(text: string): string {
  return (text.match(WORD) ?? []).reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}
