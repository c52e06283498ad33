import * as z from "zod";
import { ROLES } from "../../conversations/model.ts";
import { renderMessage } from "../../conversations/render.ts";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import type { DroppedHit, TextHit } from "../../ranking/hits.ts";
import { holdsPhrases, type ParsedQuery, parseQuery } from "../../search/query.ts";
import { vectorOf } from "../../search/question.ts";
import { makeSnippet } from "../../search/snippet.ts";
import { nearWords } from "../../search/spelling.ts";
import { type ArchiveHit, searchArchive } from "../../search/without_index.ts";
import { listArchive } from "../../store/archive.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { estimateTokens } from "../../tokens/estimate.ts";
import { defineOperation, type RunContext } from "../operation.ts";
import {
  changedField,
  filterFields,
  limitField,
  offsetField,
  parentOf,
  subagentsField,
  toFilter,
} from "../shared/fields.ts";
import { loadMessages, shortAddresses } from "../shared/resolve.ts";
import { codeFields, documentFields } from "../shared/search_fields.ts";
import { sessionField, sessionRow } from "../shared/session.ts";

const SNIPPET = 300;

const explanation = z.object({
  /** The best messages, or the title (null): what words and likeness each has, and its part of the score. */
  best_messages: z.array(
    z.object({ index: z.number().nullable(), words: z.number(), likeness: z.number().nullable(), part: z.number() }),
  ),
  /** What their sum was multiplied by, for a file the query names; 1: nothing. */
  file_boost: z.number(),
  /** How the shown message came to its score. */
  terms: z.array(
    z.object({ term: z.string(), messages: z.number(), rarity: z.number(), weight: z.number(), share: z.number() }),
  ),
});

const result = z.object({
  kind: z.enum(["conversation", "document", "code"]),
  /** Of a document: collection:path#section; of code: file:line. */
  id: z.string(),
  title: z.string(),
  project: z.string(),
  source: z.string(),
  date: z.string(),
  snippet: z.string(),
  message_index: z.number(),
  estimated_tokens: z.number(),
  rank_source: z.enum(["lexical", "vector", "hybrid"]),
  score_lex: z.number(),
  score_vec: z.number().nullable(),
  score_final: z.number(),
  /** Names the conversation and no other, in few characters. */
  address: z.string().optional(),
  parent: z.string().optional(),
  parent_kind: z.enum(["subagent", "fork"]).optional(),
  /** How many subagents and forks it has. */
  children: z.number().optional(),
  changed_since: changedField,
  explain: explanation.optional(),
  /** Of documents. */
  ...documentFields,
  /** Of code. */
  ...codeFields,
});

export type Result = z.output<typeof result>;
export type Dropped = { id: string; message_index: number | null; likeness: number; reason: string };

const input = z.strictObject({
  query: z.string().describe('Words; "exact words", -without, project:x, file:x, after:7d'),
  file: z.string().optional().describe("Part of a touched file's path"),
  in: z.enum(["conversations", "documents", "code", "all"]).default("conversations").describe("Where to look"),
  ...filterFields,
  subagents: subagentsField(true),
  session: sessionField,
  role: z.enum(ROLES).optional().describe("Only of this role"),
  tool: z.string().optional().describe("Only messages using this tool"),
  mode: z
    .enum(["hybrid", "lexical", "vector"])
    .default("hybrid")
    .describe("Rank by words and meaning, by words alone, or by meaning alone"),
  limit: limitField(10),
  offset: offsetField,
  explain: z.boolean().default(false).describe("Show how results came to their ranks"),
});

const output = z.object({
  results: z.array(result),
  /** Of conversations: those with any of the words, or with a similar meaning where `mode` looks at that. */
  total: z.number(),
  /** The words and phrases looked for. */
  words: z.array(z.string()).optional(),
  mode: z.enum(["hybrid", "lexical", "vector"]).optional(),
  /** Says so when the results are not quite what was asked for. */
  note: z.string().optional(),
  did_you_mean: z.array(z.string()).optional(),
  /** With `explain`: what was near and is not among the results. */
  dropped: z
    .array(z.object({ id: z.string(), message_index: z.number().nullable(), likeness: z.number(), reason: z.string() }))
    .optional(),
});

type Input = z.output<typeof input>;
type Output = z.output<typeof output>;

export const search = defineOperation({
  name: "dex_search",
  verb: "search",
  summary: "Find conversations by what was said or done",
  positionals: ["query"],
  input,
  output,
  readOnly: true,
  idempotent: true,
  fresh: true,
  traced: true,
  toolset: "conversations",
  unlisted: ["explain", "mode", "subagents"],
  run: async (dex, input, context) => {
    if (input.in === "conversations") return searchConversations(dex, input, context);
    const { searchElsewhere } = await import("../../search/all.ts");
    return searchElsewhere(dex, input, context, searchConversations);
  },
  isEmpty: (output) => output.results.length === 0,
});

async function searchConversations(dex: Dex, input: Input, context: RunContext): Promise<Output> {
  const started = performance.now();
  const query = parseQuery(input.query, input);
  if (!query) {
    throw new DexError("empty_query", "There is no word in the query to search for.", {
      hint: "Type a few words, a question, or a file name; `dex list` browses without a query.",
    });
  }
  if (dex.indexState !== "ready" && listArchive(dex.archive).length > 0) {
    context.notice?.("There is no index: the archive was searched word by word. Run `dex reindex`.");
    const found = searchArchive(dex.archive, query, toFilter(dex, { ...query.fields, subagents: input.subagents }));
    const shown = found.slice(input.offset, input.offset + input.limit);
    return { results: shown.map((hit) => fromArchive(hit, query)), total: found.length };
  }
  const filter = {
    ...toFilter(dex, { ...query.fields, subagents: input.subagents }),
    no: sessionRow(dex, input.session)?.no,
  };
  const accept = query.phrases.length > 0 ? phraseCheck(dex, query.phrases) : undefined;
  const asked = { ...query, vector: await vectorOf(query, dex, input.mode, context.notice) };
  const embedded = performance.now();
  const exact = dex.store.searchTexts(asked, filter, input.limit, input.offset, accept);
  // A quoted title in a question need not stand anywhere as typed: then its words are looked for, and that is said.
  const relaxed = exact.total === 0 && query.phrases.length > 0;
  const { hits, total, dropped } = relaxed
    ? dex.store.searchTexts({ ...asked, required: [] }, filter, input.limit, input.offset)
    : exact;
  const ranked = performance.now();
  if (asked.vector && exact.vectors === 0 && dex.store.totals().conversations > 0) {
    context.notice?.(`There are no vectors of ${asked.vector.model.name} yet: run \`dex reindex --vectors\`.`);
  }
  const { withChanges } = await import("../../search/changed_since.ts");
  const address = shortAddresses(dex);
  const results = withChanges(
    dex,
    hits.flatMap((hit) => describe(dex, hit, query, input.explain, address)),
    hits.flatMap((hit) => dex.store.byNo(hit.no) ?? []),
  );
  const near = hits.every((hit) => lexicalScore(hit) === 0)
    ? nearWords(query.words, dex.store, (row, index) => messageText(dex, row, index))
    : [];
  context.trace?.({
    query: input.query,
    inputs: { conversations: dex.store.totals().conversations, matching: total },
    ranking: results.map(({ id, source, score_final, title }) => ({
      id,
      source,
      score: score_final,
      summary: title,
    })),
    dropped: dropped.flatMap((hit) => droppedHit(dex, hit)).map(({ id, reason }) => ({ id, reason })),
    budgets: { limit: input.limit, offset: input.offset },
    truncation: { results: Math.max(0, total - input.offset - results.length) },
    stages: [
      { name: "embed", ms: embedded - started },
      { name: input.mode, ms: ranked - embedded, out: total },
      { name: "snippets", ms: performance.now() - ranked, out: results.length },
    ],
    session: input.session === "all" ? undefined : input.session,
  });
  const quoted = query.phrases.map((phrase) => `"${phrase}"`).join(" and ");
  const note = relaxed && total > 0 ? { note: `No message holds ${quoted} as typed; these match the words.` } : {};
  return {
    results,
    total,
    words: [...query.phrases, ...query.words],
    mode: asked.vector ? input.mode : "lexical",
    ...note,
    ...(near.length > 0 ? { did_you_mean: near } : {}),
    ...(input.explain ? { dropped: dropped.flatMap((hit) => droppedHit(dex, hit)) } : {}),
  };
}

function lexicalScore(hit: TextHit): number {
  return hit.parts.reduce((sum, { words }) => sum + words, 0);
}

function larger(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

function droppedHit(dex: Dex, { no, index, cosine, reason }: DroppedHit): Dropped[] {
  const row = dex.store.byNo(no);
  return row ? [{ id: row.id, message_index: index, likeness: rounded(cosine), reason }] : [];
}

/** The terms of a phrase may stand anywhere in a message: whether they stand together only its text tells. */
function phraseCheck(dex: Dex, phrases: readonly string[]): (no: number, index: number) => boolean {
  return (no, index) => {
    const row = dex.store.byNo(no);
    return row !== undefined && holdsPhrases(messageText(dex, row, index), phrases);
  };
}

function messageText(dex: Dex, row: ConversationRow, index: number): string {
  const message = loadMessages(dex, row, index, index + 1)[0]?.message;
  return message ? (renderMessage(message, "full") ?? "") : "";
}

function describe(
  dex: Dex,
  hit: TextHit,
  query: ParsedQuery,
  explain: boolean,
  address: (row: ConversationRow) => string,
): Result[] {
  const row = dex.store.byNo(hit.no);
  if (!row) return [];
  const children = dex.store.children(row.id).length;
  const index = hit.index ?? 0;
  const words = lexicalScore(hit);
  const likeness = hit.parts.reduce<number | null>((most, { cosine }) => larger(most, cosine), null);
  return [
    {
      kind: "conversation",
      id: row.id,
      title: row.title,
      project: row.project ?? "",
      source: row.source,
      date: new Date(row.updated).toISOString(),
      snippet: makeSnippet(messageText(dex, row, index), [...query.phrases, ...query.words], SNIPPET),
      message_index: index,
      estimated_tokens: row.tokens,
      rank_source: likeness === null ? "lexical" : words === 0 ? "vector" : "hybrid",
      score_lex: rounded(words),
      score_vec: likeness === null ? null : rounded(likeness),
      score_final: rounded(hit.score),
      address: address(row),
      ...parentOf(row),
      ...(children > 0 ? { children } : {}),
      ...(explain ? { explain: explained(dex, hit, query) } : {}),
    },
  ];
}

function fromArchive(hit: ArchiveHit, query: ParsedQuery): Result {
  const score = rounded(hit.score);
  return {
    kind: "conversation",
    id: hit.meta.id,
    title: hit.meta.title ?? "",
    project: hit.meta.project ?? "",
    source: hit.meta.source,
    date: hit.updated,
    snippet: makeSnippet(hit.text, [...query.phrases, ...query.words], SNIPPET),
    message_index: hit.index,
    estimated_tokens: estimateTokens(hit.text),
    rank_source: "lexical",
    score_lex: score,
    score_vec: null,
    score_final: score,
  };
}

function explained(dex: Dex, hit: TextHit, query: ParsedQuery): z.output<typeof explanation> {
  const shares = hit.index === null ? [] : dex.store.explain(query, hit.no, hit.index);
  return {
    file_boost: hit.boost,
    best_messages: hit.parts.map(({ index, words, cosine, weighted }) => ({
      index,
      words: rounded(words),
      likeness: cosine === null ? null : rounded(cosine),
      part: rounded(weighted),
    })),
    terms: shares.map((each) => ({ ...each, rarity: rounded(each.rarity), share: rounded(each.share) })),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
