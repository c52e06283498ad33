/**
 * Searches definitions by words in their names, signatures, doc comments and paths, and, for less, in their bodies. Such a
 * search mostly looks for the code to read or to change. Tests, examples and declarations of types repeat its words, so they
 * count less, unless the query is about them.
 */
import type { CodeReader, EntityFilter, EntityHit, EntityRow } from "../../store/code.ts";
import { Analyser, SMALL_CAPACITY } from "../../text/terms/analyser.ts";
import { inBody } from "../body_terms.ts";
import { languageOf } from "../languages/registry.ts";

export interface FoundEntity {
  entity: EntityRow;
  score: number;
}

/** Matches beyond this many are neither counted nor weighed. */
export const MAX_COUNTED = 1000;
const TEST_WEIGHT = 0.3;
/** If the query has a word for tests: it may as well be about what the project calls a test. */
const ASKED_TEST_WEIGHT = 0.6;
const ASIDE_WEIGHT = 0.6;
/** A file as a whole is further from the place than a definition in it. */
const FILE_WEIGHT = 0.7;
const DOCUMENT_WEIGHT = 0.5;
/** Definitions without bodies, which repeat the names and comments of the code that they declare. */
const DECLARATION_WEIGHT = 0.5;
const DECLARATIONS = /\.d\.[cm]?ts$/;
const ASKS_FOR_TESTS = /\b(?:tests?|testing|tested|specs?|fixtures?|mocks?)\b/i;
/** Examples and benchmarks use the code that they repeat the words of. */
const ASIDE_FOLDER = /(?:^|\/)(bench|example|demo|sample|playground)(?:marks?|es|s)?(?:[-_][^/]*)?\//i;

export interface FoundCode {
  found: FoundEntity[];
  /** How many definitions have any of the words, at most `MAX_COUNTED`. */
  count: number;
}

export function searchCode(store: CodeReader, query: string, filter: EntityFilter, limit: number): FoundCode {
  const words = [...new Set(new Analyser(SMALL_CAPACITY).words(query))];
  if (words.length === 0) return { found: [], count: 0 };
  const terms = [...words, ...words.map(inBody)];
  const { count, hits } = store.search({ terms }, filter, MAX_COUNTED);
  const found = bestOf(hits, worthFor(query, filter), limit).flatMap(({ no, score }) => {
    const entity = store.entity(no);
    return entity ? [{ entity, score }] : [];
  });
  return { found, count };
}

/** The best by score and worth. As no worth is above 1, hits below the last of these cannot be among them any more. */
function bestOf(
  hits: Iterable<EntityHit>,
  worth: (hit: EntityHit) => number,
  limit: number,
): Pick<EntityHit, "no" | "score">[] {
  const best: Pick<EntityHit, "no" | "score">[] = [];
  for (const hit of hits) {
    const least = best[limit - 1]?.score ?? 0;
    if (hit.score <= least) break;
    const score = hit.score * worth(hit);
    if (score <= least) continue;
    const after = best.findIndex((each) => each.score < score);
    best.splice(after < 0 ? best.length : after, 0, { no: hit.no, score });
    if (best.length > limit) best.pop();
  }
  return best;
}

/** How many definitions have each of these terms in their name, signature, doc comment, path or body. */
export function countWords(store: CodeReader, terms: readonly string[]): ReadonlyMap<string, number> {
  const { having } = store.countTerms([...terms, ...terms.map(inBody)]);
  return new Map(terms.map((term) => [term, (having.get(term) ?? 0) + (having.get(inBody(term)) ?? 0)]));
}

export function asksForTests(query: string): boolean {
  return ASKS_FOR_TESTS.test(query);
}

/** The weight of a match by its file and kind. */
function worthFor(query: string, { path }: EntityFilter): (hit: EntityHit) => number {
  const asked = `${query} ${path ?? ""}`.toLowerCase();
  const wantsTests = asksForTests(asked.replaceAll(/[/._-]/g, " "));
  const testWeight = wantsTests ? ASKED_TEST_WEIGHT : TEST_WEIGHT;
  return (hit) => {
    if (hit.test || hit.kind === "test") return testWeight;
    if (languageOf(hit.path) === "document") return DOCUMENT_WEIGHT;
    if (DECLARATIONS.test(hit.path)) return DECLARATION_WEIGHT;
    const aside = ASIDE_FOLDER.exec(hit.path)?.[1]?.toLowerCase();
    const place = hit.kind === "file" ? FILE_WEIGHT : 1;
    return aside !== undefined && !asked.includes(aside) ? ASIDE_WEIGHT * place : place;
  };
}
