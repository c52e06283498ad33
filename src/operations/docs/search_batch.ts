/** `dex docs search-batch`: several searches of the documentation, merged without duplicates. */
import * as z from "zod";
import { collectionFilter } from "../../collections/citation.ts";
import { Describer, findPassages, type PassageQuery, passageQuery, withinBudget } from "../../search/documents.ts";
import { fullField, modeField, type PassageResult, passageResult } from "../../search/results/passage_schema.ts";
import { defineOperation } from "../operation.ts";
import { limitField, maxTokensField } from "../shared/fields.ts";
import { collectionsField } from "./fields.ts";

const MAX_QUERIES = 10;

const batchResult = passageResult.extend({
  /** The indices of the queries that found it. */
  queries: z.array(z.number()),
});

export const docsSearchBatch = defineOperation({
  name: "documents_search_batch",
  verb: "docs search-batch",
  summary: "Search the documentation with several queries at once; each passage is returned once",
  positionals: ["queries"],
  input: z.strictObject({
    queries: z.array(z.string()).min(1, "needs at least one query").max(MAX_QUERIES).describe("Up to ten queries"),
    collections: collectionsField,
    limit: limitField(5).describe("Maximum results per query"),
    max_tokens: maxTokensField,
    full: fullField,
    mode: modeField,
  }),
  output: z.object({
    results: z.array(batchResult),
    queries: z.array(z.object({ query: z.string(), total: z.number() })),
    truncated: z.object({ results: z.number(), tokens: z.number() }).optional(),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "documents",
  traced: true,
  toolset: "documents",
  unlisted: ["mode", "full"],
  run: async (dex, input, context) => {
    const library = await dex.library();
    const filter = collectionFilter(library, input.collections);
    const describer = new Describer(library);
    const queries: PassageQuery[] = [];
    for (const text of input.queries) queries.push(await passageQuery(dex, text, input.mode, context.notice));
    const found = queries.map((query) => {
      const { hits, total } = findPassages(library, query, filter, input.limit);
      const options = { full: input.full, explain: false };
      return { total, results: hits.flatMap((hit) => describer.describe(hit, query, options)) };
    });
    const { results, truncated } = withinBudget(merged(found.map((each) => each.results)), input.max_tokens);
    context.trace?.({
      query: input.queries.join("\n"),
      inputs: { documents: library.reader.countDocuments(filter), queries: input.queries.length },
      ranking: results.map(({ id, collection, title }) => ({ id, source: collection, summary: title })),
      budgets: { limit: input.limit, ...(input.max_tokens === undefined ? {} : { max_tokens: input.max_tokens }) },
      truncation: { results: truncated?.results ?? 0 },
    });
    return {
      results,
      queries: input.queries.map((query, i) => ({ query, total: found[i]?.total ?? 0 })),
      ...(truncated ? { truncated } : {}),
    };
  },
  isEmpty: (output) => output.results.length === 0,
});

/** Sorts by the best rank in any query, so queries share a budget fairly; ties by the number of queries. */
function merged(lists: readonly (readonly PassageResult[])[]): z.output<typeof batchResult>[] {
  const known = new Map<string, { result: z.output<typeof batchResult>; rank: number; first: number }>();
  for (const [query, list] of lists.entries()) {
    for (const [rank, result] of list.entries()) {
      const key = `${result.id}@${result.section}`;
      const before = known.get(key);
      if (!before) known.set(key, { result: { ...result, queries: [query] }, rank, first: query });
      else {
        const better = rank < before.rank ? { ...result } : before.result;
        const queries = [...before.result.queries, query];
        known.set(key, { result: { ...better, queries }, rank: Math.min(rank, before.rank), first: before.first });
      }
    }
  }
  return [...known.values()]
    .sort((a, b) => a.rank - b.rank || b.result.queries.length - a.result.queries.length || a.first - b.first)
    .map(({ result }) => result);
}
