/** `dex docs related`: passages similar to a document or a section. */
import * as z from "zod";
import { addressOf, collectionFilter } from "../../collections/citation.ts";
import type { Library } from "../../collections/library.ts";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { plural } from "../../kernel/text.ts";
import { Describer, findPassages, type PassageQuery, passageFacts, withinBudget } from "../../search/documents.ts";
import { staticVector } from "../../search/query/vector.ts";
import { passageResult } from "../../search/results/passage_schema.ts";
import type { ChunkRow, DocumentRow, SectionRow } from "../../store/documents.ts";
import { Analyser, SMALL_CAPACITY } from "../../text/terms/analyser.ts";
import { defineOperation } from "../operation.ts";
import { limitField, maxTokensField } from "../shared/fields.ts";
import { collectionField, collectionsField, ONE_DOCUMENT, resolvePart, withSubsections } from "./fields.ts";

/** The most characteristic words of the passages. More words would match unrelated passages. */
const MAX_TERMS = 24;
/** The beginning of a long document represents it. */
const MAX_CHUNKS = 8;
/** The weight of the vectors: similar passages need not share words. */
const VECTOR_SHARE = 0.5;

export const docsRelated = defineOperation({
  name: "documents_find_related",
  verb: "docs related",
  summary: "Find passages related to a document or a section",
  positionals: ["document"],
  input: z.strictObject({
    document: z.string().describe("Path or title; path#section for a section"),
    collection: collectionField,
    chunk: z
      .int("must be a whole number")
      .min(0, "must not be negative")
      .optional()
      .describe("The number of one of its passages"),
    same_document: z.boolean().default(false).describe("Include other passages of the same document"),
    collections: collectionsField,
    limit: limitField(5),
    max_tokens: maxTokensField,
  }),
  output: z.object({
    /** The address of the document or section. */
    to: z.string(),
    results: z.array(passageResult),
    truncated: z.object({ results: z.number(), tokens: z.number() }).optional(),
  }),
  ...ONE_DOCUMENT,
  unlisted: ["collections", "collection"],
  run: async (dex, input, context) => {
    const library = await dex.library();
    const { row, sections, section } = resolvePart(library, input, dex.cwd);
    const chunks = chosenChunks(library, row, sections, section, input.chunk);
    const query = queryFromChunks(dex, library, row, chunks);
    const filter = { ...collectionFilter(library, input.collections), ...(input.same_document ? {} : { not: row.no }) };
    const own = new Set(chunks.map(({ chunk }) => chunk));
    const found = findPassages(library, query, filter, input.limit + own.size);
    const others = found.hits.filter(({ no, chunk }) => no !== row.no || !own.has(chunk)).slice(0, input.limit);
    const describer = new Describer(library);
    const all = others.flatMap((hit) => describer.describe(hit, query, { full: false, explain: false }));
    const { results, truncated } = withinBudget(all, input.max_tokens);
    context.trace?.({
      ...passageFacts(library, found, results),
      budgets: { limit: input.limit, ...(input.max_tokens === undefined ? {} : { max_tokens: input.max_tokens }) },
      truncation: { results: truncated?.results ?? 0 },
    });
    return { to: addressOf(library, row, section?.slug), results, ...(truncated ? { truncated } : {}) };
  },
  isEmpty: (output) => output.results.length === 0,
});

function chosenChunks(
  { reader }: Library,
  row: DocumentRow,
  sections: readonly SectionRow[],
  section: SectionRow | undefined,
  chunk: number | undefined,
): ChunkRow[] {
  const all = reader.chunks(row.no);
  if (chunk !== undefined) {
    const one = all[chunk];
    if (one) return [one];
    throw new DexError("unknown_chunk", `${row.path} has no passage ${chunk}.`, {
      hint: `It has ${plural(all.length, "passage")}, numbered from 0.`,
    });
  }
  const wanted = section && new Set(withSubsections(sections, section).map(({ index }) => index));
  return all.filter((each) => wanted === undefined || wanted.has(each.section));
}

/** Builds a query from passages: their most characteristic terms and their vector. */
function queryFromChunks(dex: Dex, { reader }: Library, row: DocumentRow, chunks: readonly ChunkRow[]): PassageQuery {
  const leading = chunks.slice(0, MAX_CHUNKS);
  const analyser = new Analyser(SMALL_CAPACITY);
  const shares = new Map<string, number>();
  const texts = leading.map(({ chunk }) => reader.chunkText(row.no, chunk));
  for (const [i, { chunk }] of leading.entries()) {
    for (const { term, share } of reader.explain({ terms: analyser.words(texts[i] ?? "") }, row.no, chunk)) {
      shares.set(term, (shares.get(term) ?? 0) + share);
    }
  }
  const ranked = [...shares].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const terms = ranked.slice(0, MAX_TERMS).map(([term]) => term);
  const vector = staticVector(`${row.title}\n${texts.join("\n")}`, dex.settings, VECTOR_SHARE);
  return { asked: { terms, vector }, words: terms, phrases: [] };
}
