/** Describes a hit of a search: its conversation, the message that matched, and how it came to its score. */
import type { Dex } from "../../dex.ts";
import type { TextHit } from "../../ranking/hits.ts";
import type { ConversationRow } from "../../store/ports.ts";
import type { MessageLines } from "../exact/message_lines.ts";
import { WholeMatcher } from "../exact/whole.ts";
import type { ParsedQuery } from "../query/query.ts";
import { foundConversation } from "./describe.ts";
import type { Explanation, SearchResult } from "./result_schema.ts";
import { evidenceParts, rounded } from "./rounded.ts";
import { makeSnippet, snippetAround } from "./snippet.ts";

const SNIPPET_CHARS = 300;

export function describeHit(
  dex: Dex,
  lines: MessageLines,
  hit: TextHit,
  row: ConversationRow,
  query: ParsedQuery,
  { explain, isWhole, address }: { explain: boolean; isWhole: boolean; address: (row: ConversationRow) => string },
): SearchResult {
  const index = hit.index ?? 0;
  const words = lexicalScore(hit);
  const likeness = hit.parts.reduce<number | null>((most, { cosine }) => larger(most, cosine), null);
  return {
    ...foundConversation(dex, row, address),
    snippet: snippetOf(lines.text(row, index), query, isWhole),
    message_index: index,
    rank_source: likeness === null ? "lexical" : words === 0 ? "vector" : "hybrid",
    score_lex: rounded(words),
    score_vec: likeness === null ? null : rounded(likeness),
    score_final: rounded(hit.score),
    ...(explain ? { explain: explained(dex, hit, query) } : {}),
  };
}

/** `isWhole`: the message contains the query, or its quoted texts, as typed. */
function snippetOf(read: string, query: ParsedQuery, isWhole: boolean): string {
  const text = read.normalize("NFC");
  const typed = query.quoted[0] ?? query.typed;
  const place = isWhole && typed ? new WholeMatcher(typed).find(text) : undefined;
  if (place) return snippetAround(text, place.from, place.to, SNIPPET_CHARS);
  return makeSnippet(text, [...query.phrases, ...query.words], SNIPPET_CHARS);
}

function explained(dex: Dex, hit: TextHit, query: ParsedQuery): Explanation {
  const shares = hit.index === null ? [] : dex.store.explain(query, hit.no, hit.index);
  return {
    file_boost: hit.boost,
    evidence: evidenceParts(hit.evidence),
    best_messages: hit.parts.map(({ index, words, cosine, weighted }) => ({
      index,
      words: rounded(words),
      likeness: cosine === null ? null : rounded(cosine),
      part: rounded(weighted),
    })),
    terms: shares.map((each) => ({ ...each, rarity: rounded(each.rarity), share: rounded(each.share) })),
  };
}

export function lexicalScore(hit: TextHit): number {
  return hit.parts.reduce((sum, { words }) => sum + words, 0);
}

function larger(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
