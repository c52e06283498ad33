/** Finds passages of documentation, for `docs search`, `docs search-batch`, `docs related` and `search --in`. */
import { addressOf, citation } from "../collections/citation.ts";
import type { Library } from "../collections/library.ts";
import type { Dex } from "../dex.ts";
import { DexError } from "../kernel/errors.ts";
import type { TermCounts } from "../ranking/hits.ts";
import type { TermQuery } from "../ranking/query.ts";
import { redactText } from "../redact/redact.ts";
import type { ChunkHit, ChunkHits, DocumentFilter, DocumentRow, SectionRow } from "../store/documents.ts";
import { missingVectorsText, passageState } from "../sync/embedding/background.ts";
import { BUDGET_MARGIN, estimateTokens } from "../tokens/estimate.ts";
import { leadingThatFit } from "../tokens/leading.ts";
import type { TraceDetails } from "../traces/trace.ts";
import { WholeMatcher } from "./exact/whole.ts";
import { type ParsedQuery, parseQuery } from "./query/query.ts";
import { nearTerms } from "./query/spelling.ts";
import { type Mode, passageVectorsOf, staticVectorOf } from "./query/vector.ts";
import { textsNote } from "./results/coverage.ts";
import type { PassageResult } from "./results/passage_schema.ts";
import { evidenceParts, rounded } from "./results/rounded.ts";
import { makeSnippet } from "./results/snippet.ts";
import { withoutTableTags } from "./results/table_tags.ts";

const MAX_SNIPPET_CHARS = 300;
/** Passages fetched per result: several passages of one section become one result. */
const OVERFETCH = 4;
/**
 * The least cosine at which `ask` reads a passage without any of the words; it judges for itself whether the passage
 * answers.
 */
const MIN_COSINE_TO_READ = 0.15;

export interface PassageQuery {
  asked: TermQuery;
  /** Words as typed, for snippets. */
  words: readonly string[];
  phrases: readonly string[];
  parsed?: ParsedQuery;
}

export interface FoundPassages {
  /** The best passage of each section, best first. */
  hits: ChunkHit[];
  /** Other passages of the same sections, best first. */
  others: ChunkHit[];
  total: number;
  dropped: ChunkHits["dropped"];
  note?: string;
}

/** `notice` is called with the reason for a missing vector, and with the number of passages without one. */
export async function passageQuery(
  dex: Dex,
  typed: string,
  mode: Mode,
  notice?: (text: string) => void,
): Promise<PassageQuery> {
  const query = wordsOfQuery(typed);
  const vectors = await passageVectorsOf(query.parsed, dex, mode, notice);
  const missing = vectors.second && missingVectorsText(passageState(dex.settings, dex.paths), dex.paths, "passages");
  if (missing !== undefined) notice?.(missing);
  return { ...query, asked: { ...query.asked, ...vectors } };
}

/** Uses stems and the built-in model alone, because the probabilities of `ask` are calibrated with these. */
export function builtInPassageQuery({ settings }: Dex, typed: string): PassageQuery {
  const query = wordsOfQuery(typed);
  const vector = staticVectorOf(query.parsed, settings, "hybrid");
  const scale = vector && { ...vector.scale, found: MIN_COSINE_TO_READ };
  return {
    ...query,
    asked: { ...query.asked, written: [], ...(vector && scale ? { vector: { ...vector, scale } } : {}) },
  };
}

/** Documents have no filters, so the filters of conversations are plain words here. */
function wordsOfQuery(typed: string): PassageQuery & { parsed: ParsedQuery } {
  const parsed = parseQuery(typed.replace(/\b(project|source|role|tool|file|before|after|from|to):(?=\S)/gi, "$1 "));
  if (!parsed) {
    throw new DexError("empty_query", "There is no word in the query to search for.", {
      hint: "Type a few words or a question; `dex docs documents` browses without a query.",
    });
  }
  const asked = { ...parsed, role: undefined, mark: undefined };
  return { asked, words: parsed.words, phrases: parsed.phrases, parsed };
}

export function findPassages(
  { reader }: Library,
  query: PassageQuery,
  filter: DocumentFilter,
  limit: number,
): FoundPassages {
  const { asked, phrases } = query;
  const most = limit * OVERFETCH;
  const matchers = (query.parsed?.quoted ?? []).map((whole) => new WholeMatcher(whole));
  const accept = (no: number, chunk: number): boolean => {
    const text = reader.chunkText(no, chunk);
    return matchers.every((each) => each.isIn(text));
  };
  const exact = reader.searchChunks(asked, filter, most, phrases.length > 0 ? accept : undefined);
  const relaxed = exact.total === 0 && phrases.length > 0;
  const { hits, total, dropped } = relaxed ? reader.searchChunks({ ...asked, required: [] }, filter, most) : exact;
  const quoted = phrases.map((phrase) => `"${phrase}"`).join(" and ");
  const seen = new Set<string>();
  const best = hits.filter(({ no, section }) => !seen.has(`${no}:${section}`) && seen.add(`${no}:${section}`));
  return {
    hits: best.slice(0, limit),
    others: hits.filter((hit) => !best.includes(hit)),
    total,
    dropped,
    ...(relaxed && total > 0 ? { note: `No passage contains ${quoted} as typed; these match the words.` } : {}),
  };
}

/** A note about the words of the query that the passages lack; undefined if one of them has all words. */
export function passagesNote(
  { reader }: Library,
  { parsed }: PassageQuery,
  filter: DocumentFilter,
  { hits, note }: FoundPassages,
): string | undefined {
  if (note !== undefined || !parsed) return note;
  const texts = hits.map(({ no, chunk, section }) => {
    const headings = reader.sections(no)[section]?.path ?? [];
    return [
      reader.document(no)?.title ?? "",
      reader.document(no)?.path ?? "",
      ...headings,
      reader.chunkText(no, chunk),
    ].join("\n");
  });
  const having = (terms: readonly string[]): TermCounts["having"] => reader.countTerms(terms, filter).having;
  return textsNote(parsed, having, texts, { whole: "passage", part: "passage" }, (text) => redactText(text).text);
}

/** Describes hits. The row and sections of a document are read once. */
export class Describer {
  readonly #library: Library;
  readonly #rows = new Map<number, { row: DocumentRow; sections: SectionRow[] } | undefined>();

  constructor(library: Library) {
    this.#library = library;
  }

  describe(hit: ChunkHit, query: PassageQuery, options: { full: boolean; explain: boolean }): PassageResult[] {
    const known = this.#document(hit.no);
    if (!known) return [];
    const { row, sections } = known;
    const section = sections[hit.section];
    const text = this.#library.reader.chunkText(hit.no, hit.chunk);
    const slug = section?.slug ?? "";
    return [
      {
        ...citation(this.#library, row, slug),
        section: slug,
        headings: [...(section?.path ?? [])],
        first_line: hit.first_line,
        last_line: hit.last_line,
        chunk: hit.chunk,
        snippet: options.full
          ? text
          : makeSnippet(withoutTableTags(text), [...query.phrases, ...query.words], MAX_SNIPPET_CHARS),
        estimated_tokens: section?.tokens ?? row.tokens,
        rank_source: hit.cosine === null ? "lexical" : hit.words === 0 ? "vector" : "hybrid",
        score_lex: rounded(hit.words),
        score_vec: hit.cosine === null ? null : rounded(hit.cosine),
        score_final: rounded(hit.score),
        ...(options.explain ? { explain: this.#explain(hit, query), evidence: evidenceParts(hit.evidence) } : {}),
      },
    ];
  }

  address(no: number, chunk: number): string[] {
    const known = this.#document(no);
    const section = this.#library.reader.chunks(no)[chunk]?.section ?? 0;
    return known ? [addressOf(this.#library, known.row, known.sections[section]?.slug)] : [];
  }

  #document(no: number): { row: DocumentRow; sections: SectionRow[] } | undefined {
    if (!this.#rows.has(no)) {
      const { reader } = this.#library;
      const row = reader.document(no);
      this.#rows.set(no, row && { row, sections: reader.sections(no) });
    }
    return this.#rows.get(no);
  }

  #explain({ no, chunk }: ChunkHit, { asked }: PassageQuery): NonNullable<PassageResult["explain"]> {
    return this.#library.reader.explain(asked, no, chunk).map(({ term, messages, rarity, weight, share }) => ({
      term,
      passages: messages,
      rarity: rounded(rarity),
      weight,
      share: rounded(share),
    }));
  }
}

/** The leading results that fit into the token budget, as rendered for an agent. */
export function withinBudget<T extends PassageResult>(
  results: readonly T[],
  maxTokens: number | undefined,
): { results: T[]; truncated?: { results: number; tokens: number } } {
  if (maxTokens === undefined) return { results: [...results] };
  const { items } = leadingThatFit(results, maxTokens - NOTES_TOKENS, sizeOf);
  const rest = results.slice(items.length);
  if (rest.length === 0) return { results: items };
  const tokens = rest.reduce((sum, result) => sum + sizeOf(result), 0);
  return { results: items, truncated: { results: rest.length, tokens } };
}

/** Tokens reserved for the truncation note. */
const NOTES_TOKENS = 40;
/** Punctuation and numbers between the parts of a result. */
const LAYOUT_TOKENS = 12;

function sizeOf(result: PassageResult): number {
  const { id, title, headings, snippet, explain = [] } = result;
  const explanation = explain.map((each) => Object.values(each).join(" ")).join("\n");
  const text = [title, id, headings.join(" > "), snippet, explanation].join("\n");
  return Math.ceil((estimateTokens(text) + LAYOUT_TOKENS + explain.length * LAYOUT_TOKENS) * BUDGET_MARGIN);
}

/** Words of the library with a spelling close to the typed ones. */
export function nearWordsIn({ reader }: Library, query: PassageQuery): string[] {
  return nearTerms(
    query.words,
    (term) => reader.nearTerms(term),
    ({ no, index }) => reader.chunkText(no, index),
  );
}

/** Details for the trace of a search over passages. */
export function passageFacts(library: Library, found: FoundPassages, results: readonly PassageResult[]): TraceDetails {
  return {
    inputs: { documents: library.reader.countDocuments({}), matching: found.total },
    ranking: results.map(({ id, collection, score_final, title }) => ({
      id,
      source: collection,
      score: score_final,
      summary: title,
    })),
  };
}
