/**
 * `search --in documents`, `--in code` and `--in all`: passages and definitions as search results, and one list of all
 * kinds. Scores of two indexes are not comparable; the ratio of a score to the best of its own kind is.
 */
import { choiceNotices, type Library } from "../collections/library.ts";
import type { Dex } from "../dex.ts";
import { defined } from "../kernel/defined.ts";
import { DexError } from "../kernel/errors.ts";
import type { RunContext } from "../run_context.ts";
import { CONVERSATION_FILTERS, type SearchInput, type SearchOutput, searchConversations } from "./conversations.ts";
import {
  Describer,
  type FoundPassages,
  findPassages,
  nearWordsIn,
  passageFacts,
  passageQuery,
  passagesNote,
} from "./documents.ts";
import type { PassageResult } from "./results/passage_schema.ts";
import type { DroppedResult, SearchResult } from "./results/result_schema.ts";
import { rounded } from "./results/rounded.ts";

export async function searchOtherKinds(dex: Dex, input: SearchInput, context: RunContext): Promise<SearchOutput> {
  const first = { ...input, limit: input.limit + input.offset, offset: 0 };
  if (input.in === "documents" || input.in === "code") {
    // `--file` also filters code.
    const foreign = CONVERSATION_FILTERS.find(
      (name) => input[name] !== undefined && !(name === "file" && input.in === "code"),
    );
    if (input.facets) {
      throw new DexError("bad_input", `--facets counts conversations, not ${input.in}.`, {
        hint: "Leave it out, or use --in all, where it counts the conversations.",
      });
    }
    if (foreign !== undefined || input.session !== "all") {
      const other = input.in === "code" ? "code has" : "documents have";
      throw new DexError("bad_input", `--${foreign ?? "session"} filters conversations; ${other} no such filter.`, {
        hint: "Leave it out, or use --in all, where it filters the conversations.",
      });
    }
    const found =
      input.in === "code"
        ? await (await codeSearch()).searchProjectCode(dex, first, context)
        : await searchDocuments(dex, await dex.library(), first, context);
    return { ...found, results: found.results.slice(input.offset) };
  }
  const documents = await searchDocuments(dex, await dex.library(), first, context);
  const { indexedProject, searchProjectCode } = await codeSearch();
  const code = (await indexedProject(dex, context)) ? await searchProjectCode(dex, first, context) : NO_CODE;
  const conversations = await searchConversations(dex, first, context);
  const results = mixed([conversations, documents, code].map((found) => relative(found.results)));
  // If a conversation has all of the words, no note about words that documents and code lack is needed.
  const others = conversations.results.length > 0 && conversations.matches !== "any" ? [] : [documents.note, code.note];
  const note = [conversations.note, ...others].filter((text) => text !== undefined).join(" ");
  const meant = [...new Set([...(conversations.did_you_mean ?? []), ...(documents.did_you_mean ?? [])])];
  const none = results.every(({ score_lex }) => score_lex === 0);
  const hasDropped = conversations.dropped !== undefined || documents.dropped !== undefined;
  const isPartial = [conversations, code].some(({ total_complete }) => total_complete === false);
  return defined({
    dropped: hasDropped ? [...(conversations.dropped ?? []), ...(documents.dropped ?? [])] : undefined,
    results: results.slice(input.offset, input.offset + input.limit),
    total: conversations.total + documents.total + code.total,
    totals: { conversations: conversations.total, passages: documents.total, definitions: code.total },
    total_any: conversations.total_any,
    total_complete: isPartial ? false : undefined,
    matches: conversations.matches,
    mode: conversations.mode,
    facets: conversations.facets,
    note: note || undefined,
    did_you_mean: none && meant.length > 0 ? meant : undefined,
  });
}

const NO_CODE: Pick<SearchOutput, "results" | "total" | "total_complete" | "note"> = { results: [], total: 0 };

/** Imported lazily: other searches do not need the code reader. */
function codeSearch(): Promise<typeof import("./code.ts")> {
  return import("./code.ts");
}

/** Definitions often have equal scores: without this step, twenty of them could hide the second conversation. */
const STEP_PER_RANK = 0.15;

/**
 * Merges all kinds into one list. A result loses score with its rank within its kind, so each kind keeps its order. The
 * sort is stable: conversations come first among equals.
 */
function mixed(kinds: readonly (readonly SearchResult[])[]): SearchResult[] {
  const weighed = kinds.flatMap((results) =>
    results.map((result, rank) => ({ result, weight: (result.relative ?? 0) / (1 + STEP_PER_RANK * rank) })),
  );
  return weighed.sort((a, b) => b.weight - a.weight).map(({ result }) => result);
}

function relative(results: readonly SearchResult[]): SearchResult[] {
  const best = Math.max(0, ...results.map(({ score_final }) => score_final)) || 1;
  return results.map((each) => ({ ...each, relative: rounded(each.score_final / best) }));
}

async function searchDocuments(
  dex: Dex,
  library: Library,
  input: SearchInput,
  context: RunContext,
): Promise<SearchOutput> {
  const started = performance.now();
  const query = await passageQuery(dex, input.query, input.mode, context.notice);
  const found = findPassages(library, query, library.filter, input.limit);
  const describer = new Describer(library);
  const isMissed = input.limit > 0 && found.hits.every(({ words }) => words === 0);
  const near = isMissed ? nearWordsIn(library, query) : [];
  const described = found.hits.flatMap((hit) =>
    describer
      .describe(hit, query, { full: false, explain: input.explain })
      .map((passage) => ({ passage, updated: library.reader.document(hit.no)?.updated ?? 0 })),
  );
  const passages = described.map(({ passage }) => passage);
  const used = passages.map(({ collection }) => collection);
  for (const notice of choiceNotices(library, [], used)) context.notice?.(notice);
  const { inputs = {}, ...facts } = passageFacts(library, found, passages);
  context.trace?.({
    ...facts,
    inputs: { documents: inputs.documents ?? 0, passages: found.total },
    stages: [{ name: "documents", ms: performance.now() - started, out: found.total }],
  });
  const results = described.map(({ passage, updated }): SearchResult => {
    const { id, title, collection, document, section, headings, snippet, first_line, last_line } = passage;
    return {
      kind: "document",
      id,
      title: headings.length > 0 ? headings.join(" > ") : title,
      project: "",
      source: collection,
      date: new Date(updated).toISOString(),
      snippet,
      message_index: passage.chunk,
      estimated_tokens: passage.estimated_tokens,
      rank_source: passage.rank_source,
      score_lex: passage.score_lex,
      score_vec: passage.score_vec,
      score_final: passage.score_final,
      collection,
      document,
      section,
      first_line,
      last_line,
      ...(passage.explain ? { explain: explained(passage) } : {}),
    };
  });
  const note = input.mode === "vector" ? found.note : passagesNote(library, query, library.filter, found);
  return {
    ...(input.explain ? { dropped: droppedPassages(describer, found.dropped) } : {}),
    results,
    total: found.total,
    ...(note === undefined ? {} : { note }),
    ...(near.length > 0 ? { did_you_mean: near } : {}),
  };
}

/** A passage has no boost: its score is words, similarity and evidence only. */
function explained(passage: PassageResult): SearchResult["explain"] {
  const { chunk, score_lex, score_vec, score_final, explain = [], evidence = [] } = passage;
  const part = rounded(evidence.reduce((rest, each) => rest - each.part, score_final));
  return {
    best_messages: [{ index: chunk, words: score_lex, likeness: score_vec, part }],
    file_boost: 1,
    evidence,
    terms: explain.map(({ passages, ...term }) => ({ ...term, messages: passages })),
  };
}

function droppedPassages(describer: Describer, dropped: FoundPassages["dropped"]): DroppedResult[] {
  return dropped.flatMap(({ no, chunk, cosine, reason }) =>
    describer.address(no, chunk).map((id) => ({ id, message_index: chunk, likeness: rounded(cosine), reason })),
  );
}
