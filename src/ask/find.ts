/** Finds passages for a question in the index, for answers without a model. */

import { nameOf } from "../collections/citation.ts";
import { renderMessage } from "../conversations/render.ts";
import type { Dex } from "../dex.ts";
import { SEARCH_DEFAULTS, searchConversations } from "../search/conversations.ts";
import { findPassages, passageQuery } from "../search/documents.ts";
import { resolveConversation } from "../search/filters/resolve.ts";
import { loadMessages } from "../search/messages.ts";
import type { Passage } from "./passage.ts";

/** Of a longer section only the part that was found is read. */
const MAX_SECTION_TOKENS = 1500;
const MAX_MESSAGE_CHARS = 8000;

export async function findInDocuments(dex: Dex, query: string, limit: number): Promise<Passage[]> {
  const library = await dex.library();
  const { reader } = library;
  const { hits } = findPassages(library, passageQuery(dex, query, "hybrid"), library.filter, limit);
  return hits.flatMap((hit): Passage[] => {
    const row = reader.document(hit.no);
    const section = row && reader.sections(hit.no)[hit.section];
    if (!row || !section) return [];
    const whole = section.tokens <= MAX_SECTION_TOKENS;
    const { first_line, last_line } = whole ? section : hit;
    const text = whole
      ? reader
          .text(hit.no)
          .split("\n")
          .slice(first_line - 1, last_line)
          .join("\n")
      : reader.chunkText(hit.no, hit.chunk);
    return [
      {
        collection: nameOf(library, row.collection),
        document: row.path,
        title: row.title,
        section: sectionName(section.path, row.title),
        lines: [first_line, last_line],
        text,
        score: hit.score,
      },
    ];
  });
}

export async function findInConversations(dex: Dex, query: string, limit: number): Promise<Passage[]> {
  const { results } = await searchConversations(dex, { ...SEARCH_DEFAULTS, query, limit }, {});
  return results.map(({ id, source, title, message_index, snippet, score_final }) => {
    const row = resolveConversation(dex, `${source}:${id}`);
    const message = loadMessages(dex, row, message_index, message_index + 1)[0]?.message;
    const text = message && renderMessage(message, "stripped");
    return {
      collection: "conversations",
      document: `${source}:${id}`,
      section: `#${message_index}`,
      title,
      text: text ? text.slice(0, MAX_MESSAGE_CHARS) : snippet,
      score: score_final,
    };
  });
}

/** The path of headings, without a first one that repeats the title. Empty before the first heading. */
export function sectionName(headings: readonly string[], title: string): string {
  return (headings[0] === title ? headings.slice(1) : headings).join(" > ");
}
