/** Searches conversations: parses the query, lets the store rank, and describes each hit with a snippet. */
import type { Role } from "../conversations/model.ts";
import type { Dex } from "../dex.ts";
import { DexError } from "../kernel/errors.ts";
import type { DroppedHit } from "../ranking/hits.ts";
import type { TermQuery } from "../ranking/query.ts";
import type { Accept } from "../ranking/scores/grouping.ts";
import { redactionFor } from "../redact/when_needed.ts";
import type { RunContext } from "../run_context.ts";
import { listArchive } from "../store/archive/archive.ts";
import type { ConversationFilter } from "../store/ports.ts";
import { embeddingState, missingVectorsText } from "../sync/embedding/background.ts";
import { callerOf } from "./caller.ts";
import { exactNote, exactPlaces, expectedAsTyped, typedFlag } from "./exact/as_typed.ts";
import { MessageLines } from "./exact/message_lines.ts";
import { originFilter, toFilter } from "./filters/filter.ts";
import { shortAddresses } from "./filters/resolve.ts";
import { sessionRow } from "./filters/session.ts";
import { type ParsedQuery, parseQuery } from "./query/query.ts";
import { nearWords } from "./query/spelling.ts";
import { type Mode, type QueryVectors, vectorsOf } from "./query/vector.ts";
import { withChanges } from "./results/changed_since.ts";
import { coverageNote, MAX_TYPED_WORDS } from "./results/coverage.ts";
import { describeHit, lexicalScore } from "./results/described_hit.ts";
import { type Facets, facetsOf } from "./results/facets.ts";
import { absentWords, filteredNote } from "./results/filtered_out.ts";
import type { DroppedResult, SearchResult } from "./results/result_schema.ts";
import { rounded } from "./results/rounded.ts";
import { answerFromArchive } from "./without_index.ts";

/** A path with a line number is searched for as text, not as a file that a conversation touched. */
const HAS_LINE = /:\d+$/;
const LONG_WORD = /^\p{L}{5,}$/u;

/** The input of any kind of search; the filters apply to conversations. */
export interface SearchInput extends Partial<Record<Exclude<ConversationFilterName, "role">, string>> {
  role?: Role;
  query: string;
  in: "conversations" | "documents" | "code" | "all";
  mode: Mode;
  limit: number;
  offset: number;
  explain: boolean;
  session: string;
  subagents: boolean;
  regex: boolean;
  facets: boolean;
  /** Only conversations of the team. */
  team?: boolean;
  /** Only conversations of this home. */
  local?: boolean;
  /** Only conversations of this member. */
  by?: string;
}

export const SEARCH_DEFAULTS = {
  in: "conversations",
  mode: "hybrid",
  limit: 10,
  offset: 0,
  explain: false,
  session: "all",
  subagents: true,
  regex: false,
  facets: false,
} as const satisfies Omit<SearchInput, "query">;

export const CONVERSATION_FILTERS = ["file", "project", "source", "from", "to", "role", "tool"] as const;
type ConversationFilterName = (typeof CONVERSATION_FILTERS)[number];

export interface SearchOutput {
  results: SearchResult[];
  total: number;
  total_any?: number;
  total_complete?: boolean;
  totals?: { conversations: number; passages: number; definitions: number };
  matches?: "exact" | "all" | "any";
  facets?: Facets;
  words?: string[];
  mode?: Mode;
  note?: string;
  did_you_mean?: string[];
  dropped?: DroppedResult[];
}

export async function searchConversations(dex: Dex, input: SearchInput, context: RunContext): Promise<SearchOutput> {
  const started = performance.now();
  const parsed = parseQuery(input.query, input, true);
  if (!parsed) {
    throw new DexError("empty_query", "There is no word in the query to search for.", {
      hint: "Type a few words, a question, or a file name; `dex list` browses without a query.",
    });
  }
  const fields = { ...parsed.fields, subagents: input.subagents };
  if (dex.indexState !== "ready" && listArchive(dex.paths.archive).length > 0) {
    const reason =
      dex.indexState === "outdated" ? "The index was made by another version of dex" : "The index is missing";
    context.notice?.(`${reason}, so dex searched the archive by words only. \`dex sync\` makes it again.`);
    return answerFromArchive(dex.paths.archive, parsed, toFilter(dex, fields), input);
  }
  const filter = {
    ...toFilter(dex, fields),
    no: sessionRow(dex, input.session)?.no,
    ...originFilter(dex, input),
  };
  const lines = new MessageLines(dex);
  const standing = typedFlag(dex, lines, parsed, filter);
  const query = standing === undefined ? parsed : (parseQuery(input.query, input, true, "stands") ?? parsed);
  const vectors = await vectorsOf(query, dex, input.mode, context.notice);
  const redact = await redactionFor([query.text, expectedAsTyped(query)]);
  const question = { started, filter, lines, standing, query, vectors, redact };
  return dex.store.inSnapshot(() => answer(dex, input, context, question));
}

interface Question {
  /** When the search began. */
  started: number;
  filter: ConversationFilter;
  lines: MessageLines;
  /** A text that contains the minus as part of a flag. */
  standing: string | undefined;
  query: ParsedQuery;
  vectors: QueryVectors;
  /** Redacts query text that a note repeats. */
  redact: (text: string) => string;
}

function answer(
  dex: Dex,
  input: SearchInput,
  context: RunContext,
  { started, filter, lines, standing, query, vectors, redact }: Question,
): SearchOutput {
  // Within one conversation, there is nothing to rank the caller's project against.
  const caller = input.session === "all" ? callerOf(dex, context) : undefined;
  const embedded = performance.now();
  const exact = input.mode === "vector" ? undefined : exactPlaces(dex, lines, query, filter);
  const pathsFirst = query.typed?.isName && !HAS_LINE.test(query.typed.text) && input.mode !== "vector";
  const whole = knownWhole(dex, query);
  const asked = { ...query, whole, ...vectors, caller, tiers: exact?.tiers, pathsFirst };
  const accept = exact?.accept;
  // If a quoted phrase occurs nowhere as typed, dex searches for its words and adds a note.
  const isRelaxed = exact?.isNowhere === true && query.quoted.length > 0;
  const found = isRelaxed
    ? dex.store.searchTexts({ ...asked, required: [] }, filter, input.limit, input.offset)
    : dex.store.searchTexts(asked, filter, input.limit, input.offset, accept);
  const { dropped } = found;
  const total = found.matching.length;
  const places = new Map(found.hits.map(({ no }) => [no, exact?.firstIn(no)]));
  const hits = found.hits.map((hit) => ({ ...hit, index: places.get(hit.no) ?? hit.index }));
  const ranked = performance.now();
  const isByMeaning = vectors.vector !== undefined || vectors.second !== undefined;
  if (isByMeaning) noteMissingVectors(dex, found.vectors, context);
  const address = shortAddresses(dex);
  const rows = hits.flatMap((hit) => {
    const row = dex.store.byNo(hit.no);
    return row ? [{ hit, row }] : [];
  });
  const results = withChanges(
    dex,
    rows.map(({ hit, row }) =>
      describeHit(dex, lines, hit, row, query, {
        explain: input.explain,
        isWhole: places.get(hit.no) !== undefined,
        address,
      }),
    ),
    rows.map(({ row }) => row),
  );
  // A page after the last result is empty for another reason.
  const isMissed = (hits.length > 0 || found.total === 0) && hits.every((hit) => lexicalScore(hit) === 0);
  const isFirst = accept === undefined && input.offset === 0;
  // Among results for the other words, only a long word is taken for a misspelt one, and no part of a typed name is.
  const mayBeMisspelt =
    isFirst && !found.hasAll && query.typed?.isName !== true && query.wordTerms.length <= MAX_TYPED_WORDS;
  const absent = isMissed || mayBeMisspelt ? absentWords(dex.store, query) : [];
  const misspelt = absent.filter((word) => isMissed || LONG_WORD.test(word));
  const near = nearWords(misspelt, dex.store, (row, index) => lines.text(row, index));
  const isEmpty = isMissed && found.total === 0 && input.offset === 0;
  context.trace?.({
    query: input.query,
    inputs: { conversations: dex.store.count({}), matching: total },
    ranking: results.map(({ id, source, score_final, title }) => ({
      id,
      source,
      score: score_final,
      summary: title,
    })),
    dropped: dropped.flatMap((hit) => droppedHit(dex, hit)).map(({ id, reason }) => ({ id, reason })),
    budgets: { limit: input.limit, offset: input.offset },
    truncation: { results: Math.max(0, found.total - input.offset - results.length) },
    stages: [
      { name: "embed", ms: embedded - started },
      { name: input.mode, ms: ranked - embedded, out: total },
      { name: "snippets", ms: performance.now() - ranked, out: results.length },
    ],
    session: input.session === "all" ? undefined : input.session,
  });
  // The first page has already shown the notice.
  const isPlain = isFirst && input.mode !== "vector";
  const note = [
    standing === undefined ? undefined : `Searched for the minus as typed, because messages contain "${standing}".`,
    // Before the first sync, no message has any word.
    (dex.indexState === "missing" ? "Nothing is indexed yet." : undefined) ??
      (isEmpty ? filteredNote(dex.store, query, CONVERSATION_FILTERS, absent) : undefined) ??
      (exact && exactNote(exact, query, results.length > 0, redact)) ??
      (isPlain ? coverageNote(dex.store, query, hits[0], found.hasAll, redact) : undefined),
  ]
    .filter((text) => text !== undefined)
    .join(" ");
  return {
    results,
    total,
    total_any: found.total,
    ...(exact?.shared && !isRelaxed ? { total_complete: false } : {}),
    matches: isRelaxed || !found.hasAll ? "any" : accept ? "exact" : "all",
    words: [...query.phrases, ...query.words],
    mode: isByMeaning ? input.mode : "lexical",
    ...(note === "" ? {} : { note }),
    ...(input.facets ? { facets: countFacets(dex, asked, filter, found.matching, accept) } : {}),
    ...(near.length > 0 ? { did_you_mean: near } : {}),
    ...(input.explain ? { dropped: dropped.flatMap((hit) => droppedHit(dex, hit)) } : {}),
  };
}

/** `compared`: the number of vectors that the query was compared with. */
function noteMissingVectors(dex: Dex, compared: number, { notice }: RunContext): void {
  const state = embeddingState(dex.settings, dex.store);
  const missing = missingVectorsText(state, dex.paths, "messages");
  if (missing !== undefined) notice?.(missing);
  else if (!state && compared === 0 && dex.store.totals().conversations > 0) {
    notice?.(`There are no vectors of the built-in model yet. Run \`dex reindex --vectors\`.`);
  }
}

function droppedHit(dex: Dex, { no, index, cosine, reason }: DroppedHit): DroppedResult[] {
  const row = dex.store.byNo(no);
  return row ? [{ id: row.id, message_index: index, likeness: rounded(cosine), reason }] : [];
}

/** A name that occurs in no text is replaced by its parts. */
function knownWhole(dex: Dex, { whole = [], names }: ParsedQuery): readonly string[] {
  if (names.length === 0) return whole;
  const { having } = dex.store.countTerms(names);
  return whole.filter((term) => having.get(term) !== 0);
}

function countFacets(
  dex: Dex,
  query: TermQuery,
  filter: ConversationFilter,
  nos: readonly number[],
  accept: Accept | undefined,
): Facets {
  const rows = nos.flatMap((no) => dex.store.byNo(no) ?? []);
  return facetsOf(rows, dex.store.countRoles(query, filter, nos, accept));
}
