/**
 * Search without an index: every archived message is read and searched for the words. It is slow and does not know
 * which words are rare, but it gives an answer.
 */
import type { ConversationMeta } from "../conversations/model.ts";
import { renderMessage } from "../conversations/render.ts";
import { isBelow } from "../kernel/files/paths.ts";
import { compareText } from "../kernel/text.ts";
import { listArchive, readDirectory, readMessages } from "../store/archive/archive.ts";
import type { ConversationFilter } from "../store/ports.ts";
import { estimateTokens } from "../tokens/estimate.ts";
import { WholeMatcher } from "./exact/whole.ts";
import type { ParsedQuery } from "./query/query.ts";
import type { SearchResult } from "./results/result_schema.ts";
import { rounded } from "./results/rounded.ts";
import { makeSnippet } from "./results/snippet.ts";

const MAX_SNIPPET_CHARS = 300;

interface ArchiveHit {
  meta: ConversationMeta;
  messages: number;
  updated: string;
  index: number;
  text: string;
  score: number;
}

/** One page of the answer, and how many conversations match. */
export function answerFromArchive(
  folder: string,
  query: ParsedQuery,
  filter: ConversationFilter,
  { limit, offset }: { limit: number; offset: number },
): { results: SearchResult[]; total: number } {
  const found = searchArchive(folder, query, filter);
  return { results: found.slice(offset, offset + limit).map((hit) => describe(hit, query)), total: found.length };
}

function describe(hit: ArchiveHit, query: ParsedQuery): SearchResult {
  const score = rounded(hit.score);
  return {
    kind: "conversation",
    id: hit.meta.id,
    title: hit.meta.title ?? "",
    project: hit.meta.project ?? "",
    source: hit.meta.source,
    date: hit.updated,
    snippet: makeSnippet(hit.text, [...query.phrases, ...query.words], MAX_SNIPPET_CHARS),
    message_index: hit.index,
    estimated_tokens: estimateTokens(hit.text),
    rank_source: "lexical",
    score_lex: score,
    score_vec: null,
    score_final: score,
  };
}

function searchArchive(folder: string, query: ParsedQuery, filter: ConversationFilter): ArchiveHit[] {
  const words = query.words.map((word) => word.toLowerCase());
  const quoted = query.quoted.map((whole) => new WholeMatcher(whole));
  const hits: ArchiveHit[] = [];
  for (const path of listArchive(folder)) {
    const archived = readDirectory(folder, path);
    if (!archived || !wanted(archived.meta, filter)) continue;
    const last = archived.blocks.at(-1);
    let best: ArchiveHit | undefined;
    let first = "";
    let updated = archived.meta.updated ?? "";
    for (const { index, message } of readMessages(folder, path, archived.blocks)) {
      if (message.time) {
        first ||= message.time;
        updated = message.time;
      }
      if (query.role !== undefined && message.role !== query.role) continue;
      const text = renderMessage(message, "full") ?? "";
      const score = scoreOf(text, words, quoted);
      if (score <= (best?.score ?? 0)) continue;
      best = { meta: archived.meta, messages: last ? last.first + last.count : 0, updated: "", index, text, score };
    }
    if (best && inSpan(first, updated, filter)) hits.push({ ...best, updated });
  }
  return hits.sort(
    (a, b) => b.score - a.score || compareText(b.updated, a.updated) || compareText(a.meta.id, b.meta.id),
  );
}

function wanted(meta: ConversationMeta, filter: ConversationFilter): boolean {
  if (filter.source !== undefined && meta.source !== filter.source) return false;
  if (filter.subagents !== undefined && (meta.parent_kind === "subagent") !== filter.subagents) return false;
  if (filter.abandoned !== undefined && (meta.parent_kind === "abandoned") !== filter.abandoned) return false;
  const { project } = meta;
  if (filter.below && (project === undefined || !filter.below.some((folder) => isBelow(folder, project)))) return false;
  return filter.project === undefined || (meta.project ?? "").toLowerCase().includes(filter.project.toLowerCase());
}

function inSpan(first: string, last: string, filter: ConversationFilter): boolean {
  if (filter.from !== undefined && Date.parse(last) < filter.from) return false;
  return filter.to === undefined || Date.parse(first) <= filter.to;
}

/** Ranks by the number of different words, then by their frequency. */
function scoreOf(text: string, words: readonly string[], quoted: readonly WholeMatcher[]): number {
  const low = text.toLowerCase();
  let score = 0;
  for (const word of words) {
    let times = 0;
    for (let at = low.indexOf(word); at >= 0 && times < 20; at = low.indexOf(word, at + word.length)) times += 1;
    if (times > 0) score += 1 + Math.log(times) / 10;
  }
  return score > 0 && quoted.every((each) => each.isIn(text)) ? score : 0;
}
