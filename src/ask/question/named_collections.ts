/**
 * Finds the collections that a question names. "Which browsers does undici support?" is about one product, and the
 * documentation of another one cannot answer it, however well its words match.
 */
import { significantTerms } from "./terms.ts";

/** Words in a collection's name that describe the kind of text, not the product. */
const GENERIC = new Set(
  (
    "api app book code core doc docs documentation documents functions guide guides handbook main manual master notes " +
    "project readme reference repo site src test tests tutorial web website wiki"
  ).split(" "),
);
const MAX_QUERY_CHARS = 2000;
const WORD = /[\p{L}\p{N}]+/gu;

export interface Named {
  /** Names of the collections; empty if the question names none. */
  collections: readonly string[];
  /** The question without the names that only say where to look. */
  rest: string;
}

/**
 * `isName` tells whether a single word is the name of the product that these collections describe, or a common word.
 */
export function namedCollections(
  query: string,
  names: readonly string[],
  isName: (word: string, collections: readonly string[]) => boolean,
): Named {
  const none = { collections: [], rest: query };
  if (names.length < 2 || query.length > MAX_QUERY_CHARS) return none;
  const whole = names.filter((name) => placesOf(query, wordsOf(name)).length > 0 && wordsOf(name).length > 1);
  const products = new Map<string, string[]>();
  for (const name of names) {
    const product = productOf(name);
    const key = product.join(" ");
    if (key === "" || placesOf(query, product).length === 0) continue;
    products.set(key, [...(products.get(key) ?? []), name]);
  }
  // Two words in a row are a name; a single one may be a common word.
  const byProduct = [...products].filter(([key, members]) => key.includes(" ") || isName(key, members));
  const collections = whole.length > 0 ? whole : byProduct.flatMap(([, members]) => members);
  if (collections.length === 0) return none;
  const said = whole.length > 0 ? whole.map(wordsOf) : byProduct.map(([key]) => key.split(" "));
  const rest = said.reduce(without, query);
  // "What is pino?" has no words besides the name, so the name stays.
  return { collections, rest: significantTerms(rest).length === 0 ? query : rest };
}

/**
 * Collections that a question names exactly as they are listed, with scope or version: only these tell `react@18` from
 * `react@19`.
 */
export function exactlyNamed(query: string, names: readonly string[]): Named | undefined {
  if (names.length < 2 || query.length > MAX_QUERY_CHARS) return undefined;
  const places = new Map<string, readonly [number, number]>();
  for (const name of names.filter((each) => each.includes("@"))) {
    const at = query.toLowerCase().indexOf(name.toLowerCase());
    const end = at + name.length;
    const isPart = at > 0 && /[\p{L}\p{N}@/._-]/u.test(query[at - 1] ?? "");
    if (at >= 0 && !isPart && !/^(?:[\p{L}\p{N}@/_-]|\.[\p{L}\p{N}])/u.test(query.slice(end)))
      places.set(name, [at, end]);
  }
  if (places.size === 0) return undefined;
  const inOrder = [...places.values()].sort(([a], [b]) => a - b);
  const rest = withoutPlaces(query, inOrder);
  return { collections: [...places.keys()], rest: significantTerms(rest).length === 0 ? query : rest };
}

/** A collection that documents one of several versions of a package. */
export interface VersionedName {
  package: string;
  name: string;
  version: string;
}

/**
 * The versions of a package that a question asks for: "in zod 3", "zod v3.23"; "react@18 or 19" names only the first.
 */
export function versionsNamed(query: string, versions: readonly VersionedName[]): Named | undefined {
  if (versions.length < 2 || query.length > MAX_QUERY_CHARS) return undefined;
  const places: [number, number][] = [];
  const collections = new Set<string>();
  for (const [name, own] of Map.groupBy(versions, (each) => each.package)) {
    const said = [name, name.replace(/^@[^/]*\//, "")].map((each) => RegExp.escape(each)).join("|");
    const pattern = new RegExp(
      `(?<![\\p{L}\\p{N}@/._-])(?:${said})(?:@| v(?:ersion )?| |-v?)(\\d+(?:\\.\\d+){0,2})(?:\\.x)?(?![\\p{L}\\p{N}]|\\.\\d)`,
      "giu",
    );
    for (const { 0: whole, 1: asked = "", index } of query.matchAll(pattern)) {
      const fitting = own.filter(({ version }) => version === asked || version.startsWith(`${asked}.`));
      if (fitting.length === 0) continue;
      for (const each of fitting) collections.add(each.name);
      places.push([index, index + whole.length]);
    }
  }
  if (collections.size === 0) return undefined;
  const rest = withoutPlaces(
    query,
    places.sort(([a], [b]) => a - b),
  );
  return { collections: [...collections], rest: significantTerms(rest).length === 0 ? query : rest };
}

/** The words of the product: `flask` of `flask-guide`, `react` of `react@18`, `rate limit` of `@fastify/rate-limit`. */
function productOf(name: string): string[] {
  const words = wordsOf(name);
  while (words.length > 0 && GENERIC.has(words.at(-1) ?? "")) words.pop();
  return words;
}

/** Without its scope and version. */
function wordsOf(name: string): string[] {
  const own = name.replace(/(?!^)@.*$/, "").replace(/^@[^/]*\//, "");
  return own.toLowerCase().match(WORD) ?? [];
}

/** Start and end of each occurrence of these words in a row, unless it is part of another name (`pino-pretty`). */
export function placesOf(text: string, part: readonly string[]): (readonly [number, number])[] {
  const words = [...text.toLowerCase().matchAll(WORD)];
  return words.flatMap((first, at) => {
    const last = words[at + part.length - 1];
    if (part.length === 0 || !last || part.some((word, i) => words[at + i]?.[0] !== word)) return [];
    const start = first.index;
    const end = last.index + last[0].length;
    const isPart = /[-_./@]$/.test(text.slice(0, start)) || /^(?:[-_/@]|\.\w)/.test(text.slice(end));
    return isPart ? [] : [[start, end] as const];
  });
}

/** In "pino: …" and "… in pino?" the name only says where to look; "npm ci" and "does npm cache …" need it. */
function without(text: string, part: readonly string[]): string {
  return withoutPlaces(text, placesOf(text, part));
}

function withoutPlaces(text: string, places: readonly (readonly [number, number])[]): string {
  return places.reduceRight((rest, [start, end]) => {
    const before = rest.slice(0, start);
    const after = rest.slice(end);
    const scope = /\b(?:in|with|for|using|of|under|inside)(?: the)?\s+$/i.exec(before);
    if (scope) return `${before.slice(0, scope.index)}${after}`;
    return before.trim() === "" && /^\s*[:,]/.test(after) ? after.replace(/^\s*[:,]\s*/, "") : rest;
  }, text);
}
