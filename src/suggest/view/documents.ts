/** Searches the documentation collections for sections about given words, with each section's lead over the others. */
import type { Library } from "../../collections/library.ts";
import type { Settings } from "../../config/schema.ts";
import { parseQuery } from "../../search/query/query.ts";
import { staticVectorOf } from "../../search/query/vector.ts";
import { makeSnippet } from "../../search/results/snippet.ts";
import type { ChunkHit } from "../../store/documents.ts";
import { leadsOf } from "../scale.ts";

const MAX_SECTIONS = 4;
const OVERFETCH = 3;
const MAX_SNIPPET_CHARS = 200;

export interface MatchedSection {
  /** `collection:path#section`. */
  address: string;
  title: string;
  snippet: string;
  updated: number;
  /** How far its score leads that of the best other section. */
  lead: number;
  text: string;
  /** Cosine similarity to the question; null if it was not compared. */
  likeness: number | null;
}

export interface DocumentFinder {
  find(words: string): MatchedSection[];
}

export function documentFinder(library: Library, settings: Settings): DocumentFinder {
  // The documents of the repository are suggested as its files.
  const declared = library.collections.filter(({ implicit }) => !implicit);
  const names = new Map(declared.map(({ id, name }) => [id, name]));
  const wanted = (library.filter.collections ?? [...names.keys()]).filter((id) => names.has(id));
  return {
    find: (words) => {
      const parsed = parseQuery(words.replaceAll(":", " "));
      if (!parsed || names.size === 0) return [];
      const asked = { ...parsed, required: [], written: [], role: undefined, mark: undefined };
      const { reader } = library;
      const query = { ...asked, vector: staticVectorOf(parsed, settings, "hybrid") };
      const { hits } = reader.searchChunks(query, { collections: wanted }, MAX_SECTIONS * OVERFETCH);
      const best = new Map<string, ChunkHit>();
      for (const hit of hits) if (!best.has(`${hit.no}:${hit.section}`)) best.set(`${hit.no}:${hit.section}`, hit);
      const sections = [...best.values()].slice(0, MAX_SECTIONS);
      const leads = leadsOf(sections.map(({ score }) => score));
      const found = new Map<string, MatchedSection>();
      for (const [i, hit] of sections.entries()) {
        const row = reader.document(hit.no);
        const section = reader.sections(hit.no)[hit.section];
        const name = row && names.get(row.collection);
        if (!row || name === undefined) continue;
        const address = `${name}:${row.path}${section?.slug ? `#${section.slug}` : ""}`;
        const text = reader.chunkText(hit.no, hit.chunk);
        found.set(address, {
          address,
          title: section?.path.at(-1) ?? row.title,
          snippet: makeSnippet(text, parsed.words, MAX_SNIPPET_CHARS),
          text,
          updated: row.updated,
          lead: leads[i] ?? 0,
          likeness: hit.cosine,
        });
      }
      return [...found.values()];
    },
  };
}
