/** Sections of the documentation that speak of something, with how much of it they speak. */
import type { Library } from "../collections/library.ts";
import type { Settings } from "../config/settings.ts";
import { parseQuery } from "../search/query.ts";
import { staticVectorOf } from "../search/question.ts";
import { makeSnippet } from "../search/snippet.ts";
import { coveredBy } from "./words.ts";

const MOST_SECTIONS = 4;
const SPARE = 3;
const SNIPPET = 200;

export interface FoundSection {
  /** `collection:path#section`. */
  address: string;
  title: string;
  snippet: string;
  updated: number;
  /** From 0 to 1: the share of the telling words it has, by rarity. */
  covered: number;
  /** Cosine with the question; null where it was not compared. */
  likeness: number | null;
}

export interface DocumentFinder {
  find(words: string): FoundSection[];
}

export function documentFinder(library: Library, settings: Settings): DocumentFinder {
  const names = new Map(library.collections.map(({ id, name }) => [id, name]));
  return {
    find: (words) => {
      const parsed = parseQuery(words.replaceAll(":", " "));
      if (!parsed || names.size === 0) return [];
      const asked = { ...parsed, required: [], role: undefined, mark: undefined };
      const { reader } = library;
      const query = { ...asked, vector: staticVectorOf(parsed, settings, "hybrid") };
      const { hits } = reader.searchChunks(query, {}, MOST_SECTIONS * SPARE);
      const best = hits.slice(0, MOST_SECTIONS * SPARE);
      const covered = coveredBy(
        parsed.terms,
        best.map(({ no, chunk }) => reader.explain(asked, no, chunk)),
      );
      const found = new Map<string, FoundSection>();
      for (const [i, hit] of best.entries()) {
        const row = reader.document(hit.no);
        const section = reader.sections(hit.no)[hit.section];
        const name = row && names.get(row.collection);
        if (!row || name === undefined) continue;
        const address = `${name}:${row.path}${section?.slug ? `#${section.slug}` : ""}`;
        if (found.has(address) || found.size >= MOST_SECTIONS) continue;
        found.set(address, {
          address,
          title: section?.path.at(-1) ?? row.title,
          snippet: makeSnippet(reader.chunkText(hit.no, hit.chunk), parsed.words, SNIPPET),
          updated: row.updated,
          covered: covered[i] ?? 0,
          likeness: hit.cosine,
        });
      }
      return [...found.values()];
    },
  };
}
