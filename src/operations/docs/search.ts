/** `dex docs search`: passages of documentation that match a query. */
import * as z from "zod";
import { collectionFilter } from "../../collections/citation.ts";
import { choiceNotices } from "../../collections/library.ts";
import {
  Describer,
  findPassages,
  nearWordsIn,
  passageFacts,
  passageQuery,
  passagesNote,
  withinBudget,
} from "../../search/documents.ts";
import { fullField, modeField, passageResult } from "../../search/results/passage_schema.ts";
import { rounded } from "../../search/results/rounded.ts";
import { defineOperation } from "../operation.ts";
import { limitField, maxTokensField } from "../shared/fields.ts";
import { collectionsField } from "./fields.ts";

const NO_DOCUMENTS = "No documentation is indexed here; `dex docs add` adds some.";
const NOT_INDEXED = "None of the collections here is indexed; `dex docs sync` indexes them.";

export const docsSearch = defineOperation({
  name: "documents_search",
  verb: "docs search",
  summary: "Find passages of documentation by words or a question",
  positionals: ["query"],
  input: z.strictObject({
    query: z.string().describe('Words, a question, an identifier; "exact words", -without'),
    collections: collectionsField,
    limit: limitField(10),
    max_tokens: maxTokensField,
    full: fullField,
    mode: modeField,
    explain: z.boolean().default(false).describe("Explain the rank of each result"),
  }),
  output: z.object({
    results: z.array(passageResult),
    /** The number of matching passages. */
    total: z.number(),
    /** Explains why the results differ from the query, when they do. */
    note: z.string().optional(),
    did_you_mean: z.array(z.string()).optional(),
    /** Results left out because of the budget. */
    truncated: z.object({ results: z.number(), tokens: z.number() }).optional(),
    /** With `explain`: near misses that are not among the results. */
    dropped: z.array(z.object({ id: z.string(), likeness: z.number(), reason: z.string() })).optional(),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "documents",
  traced: true,
  toolset: "documents",
  unlisted: ["mode", "explain"],
  run: async (dex, input, context) => {
    const library = await dex.library();
    const started = performance.now();
    const filter = collectionFilter(library, input.collections);
    const query = await passageQuery(dex, input.query, input.mode, context.notice);
    const embedded = performance.now();
    const found = findPassages(library, query, filter, input.limit);
    const ranked = performance.now();
    const describer = new Describer(library);
    const all = found.hits.flatMap((hit) => describer.describe(hit, query, input));
    const { results, truncated } = withinBudget(all, input.max_tokens);
    const used = results.map(({ collection }) => collection);
    for (const notice of choiceNotices(library, input.collections, used)) context.notice?.(notice);
    const note =
      found.total === 0 && library.reader.countDocuments(filter) === 0
        ? library.collections.some(({ implicit }) => !implicit)
          ? NOT_INDEXED
          : NO_DOCUMENTS
        : passagesNote(library, query, filter, found);
    const isMissed = input.limit > 0 && found.hits.every(({ words }) => words === 0);
    const near = isMissed ? nearWordsIn(library, query) : [];
    context.trace?.({
      ...passageFacts(library, found, results),
      budgets: { limit: input.limit, ...(input.max_tokens === undefined ? {} : { max_tokens: input.max_tokens }) },
      truncation: { results: truncated?.results ?? 0 },
      stages: [
        { name: "embed", ms: embedded - started },
        { name: input.mode, ms: ranked - embedded, out: found.total },
        { name: "snippets", ms: performance.now() - ranked, out: results.length },
      ],
    });
    return {
      results,
      total: found.total,
      ...(note === undefined ? {} : { note }),
      ...(near.length > 0 ? { did_you_mean: near } : {}),
      ...(truncated ? { truncated } : {}),
      ...(input.explain
        ? {
            dropped: found.dropped.flatMap(({ no, chunk, cosine, reason }) =>
              describer.address(no, chunk).map((id) => ({ id, likeness: rounded(cosine), reason })),
            ),
          }
        : {}),
    };
  },
  isEmpty: (output) => output.results.length === 0,
});
