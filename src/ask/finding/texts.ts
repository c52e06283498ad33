/** Finds passages of documents and messages of conversations, for answers without a model. */

import { nameOf } from "../../collections/citation.ts";
import type { Message } from "../../conversations/model.ts";
import { renderMessage } from "../../conversations/render.ts";
import type { Dex } from "../../dex.ts";
import { SEARCH_DEFAULTS, searchConversations } from "../../search/conversations.ts";
import { builtInPassageQuery, findPassages } from "../../search/documents.ts";
import { foldersHere } from "../../search/filters/known_names.ts";
import { fullAddress, resolveConversation } from "../../search/filters/resolve.ts";
import { eachMessage, loadMessages } from "../../search/messages.ts";
import { withTeam } from "../../search/with_team.ts";
import type { ChunkHit, DocumentReader, SectionRow } from "../../store/documents.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { cleanLine } from "../../text/clean.ts";
import { joinedIn } from "../evidence/neighbours.ts";
import { CONVERSATIONS, type Passage } from "../passage.ts";
import { closed, isUnderline, openFence } from "../quoting/fences.ts";
import { solutionOf } from "./solutions.ts";

/** Of a longer section only its opening and the parts that were found are read: */
const MAX_SECTION_TOKENS = 1500;
/** so many parts besides the best one, */
const MAX_OTHER_PARTS = 2;
/** if they have at least this share of its score. */
const MIN_PART_SHARE = 0.5;
/** A section with less text of its own, such as the title of a document, is read with its subsections, */
const MIN_SECTION_TOKENS = 40;
/** up to this length. */
const MAX_OPENED_TOKENS = 600;
const MAX_MESSAGE_CHARS = 8000;
const MAX_QUESTION_CHARS = 300;
/** Messages that are read to find the reply to a question. */
const MAX_REPLY_MESSAGES = 200;
/** A question has the words of another question, but does not answer it. */
const ASKS =
  /[?？]|^\s*(?:can|could|did|do|does|how|is|are|should|what|when|where|which|who|why)\b|\b(?:what happens|how (?:do|does|can|should|to)|why (?:do|does|did|is|are|was))\b/i;

/** A sentence in which an agent says what it is about to do. */
const ANNOUNCED =
  /(?<=^|[.!?:]\s)(?:(?:ok(?:ay)?|good|great|perfect|alright|right|yes)[,.!]? +)?(?:(?:now|first|next|then|finally),? +)?(?:let me|let's|let us|i(?:'|’)ll|i will|i(?:'|’)m going to|i am going to|i need to|i want to)\b[^.!?:\n]*(?:[.!?:]+|$)/gim;
const LAST_SENTENCE = /[^.!?\n]*$/;
const GIVES_REASON = /\b(?:because|since|instead|rather|so that|otherwise)\b/i;

/** A line of a table of contents: an item that only links to a heading of the same document. */
const CONTENTS_LINE = /^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\*\*)?\[[^\]\n]*\]\(#[^)\n]*\)(?:\*\*)?[ \t]*$/gm;
/** A line that is not a heading. */
const SAYS_SOMETHING = /^(?!\s*#)\s*\S/m;

/** `collections`: names; empty for all visible ones. */
export async function findInDocuments(
  dex: Dex,
  query: string,
  limit: number,
  collections: readonly string[] = [],
): Promise<Passage[]> {
  const library = await dex.library();
  const { reader } = library;
  const ids = library.collections.filter(({ name }) => collections.includes(name)).map(({ id }) => id);
  const filter = ids.length > 0 ? { ...library.filter, collections: ids } : library.filter;
  const joined = joinedIn(query, (term) => (reader.countTerms([term], filter).having.get(term) ?? 0) > 0);
  const typed = [query, ...joined].join(" ");
  const { hits, others } = findPassages(library, builtInPassageQuery(dex, typed), filter, limit);
  return hits.flatMap((hit): Passage[] => {
    const row = reader.document(hit.no);
    const sections = reader.sections(hit.no);
    const stated = sections[hit.section];
    if (!row || !stated) return [];
    const solution = solutionOf(sections, hit.section);
    const isLong = Math.max(stated.tokens, sections[solution ?? 0]?.tokens ?? 0) > MAX_SECTION_TOKENS;
    const at = isLong ? hit.section : (solution ?? hit.section);
    const section = sections[at] ?? stated;
    const { lines, text: whole } =
      stated.tokens > MAX_SECTION_TOKENS
        ? partsOfSection(reader, hit, others)
        : sectionWith(reader, hit.no, sections, at);
    const text = whole.replace(CONTENTS_LINE, "");
    if (text !== whole && !SAYS_SOMETHING.test(text)) return [];
    return [
      {
        collection: nameOf(library, row.collection),
        document: row.path,
        title: row.title,
        section: sectionName(section.path, row.title),
        lines,
        text,
        ...(at === hit.section ? {} : { problem: wholeSection(reader, hit.no, stated).text }),
        score: hit.score,
      },
    ];
  });
}

type Read = Required<Pick<Passage, "lines" | "text">>;

type Lines = Pick<SectionRow, "first_line" | "last_line">;

/** A section, with its subsections if it says little itself or ends by introducing them. */
function sectionWith(reader: DocumentReader, no: number, sections: readonly SectionRow[], at: number): Read {
  const section = sections[at] as SectionRow;
  const own = withoutHeading(wholeSection(reader, no, section), section.path.at(-1) ?? "");
  const isOpened = section.tokens < MIN_SECTION_TOKENS || /[:：][*_]{0,3}\s*$/.test(own.text);
  return isOpened ? wholeSection(reader, no, withSubsections(sections, at)) : own;
}

/** The heading of a page or of plain text has no mark: it would be read as a sentence. */
function withoutHeading({ lines, text }: Read, heading: string): Read {
  const all = text.split("\n");
  if (heading === "" || all[0]?.trim() !== heading || isUnderline(all, 1)) return { lines, text };
  return { lines, text: ["", ...all.slice(1)].join("\n") };
}

function withSubsections(sections: readonly SectionRow[], at: number): Lines {
  const section = sections[at] as SectionRow;
  let { tokens, last_line } = section;
  for (const { path, tokens: more, last_line: end } of sections.slice(at + 1)) {
    const isBelow = path.length > section.path.length && section.path.every((heading, i) => path[i] === heading);
    tokens += more;
    if (!isBelow || tokens > MAX_OPENED_TOKENS) break;
    last_line = end;
  }
  return { first_line: section.first_line, last_line };
}

function wholeSection(reader: DocumentReader, no: number, { first_line, last_line }: Lines): Read {
  const lines = reader.text(no).split("\n");
  return { lines: [first_line, last_line], text: lines.slice(first_line - 1, last_line).join("\n") };
}

function partsOfSection(reader: DocumentReader, best: ChunkHit, others: readonly ChunkHit[]): Read {
  const found = others
    .filter(
      ({ no, section, score }) => no === best.no && section === best.section && score >= best.score * MIN_PART_SHARE,
    )
    .slice(0, MAX_OTHER_PARTS);
  const opening = reader.chunks(best.no).find(({ section }) => section === best.section) ?? best;
  const parts = new Map([opening, best, ...found].map((part) => [part.chunk, part]));
  const inOrder = [...parts.values()].sort((a, b) => a.chunk - b.chunk);
  const above = reader.text(best.no).split("\n");
  return {
    lines: [inOrder[0]?.first_line ?? best.first_line, inOrder.at(-1)?.last_line ?? best.last_line],
    text: inOrder
      .map(({ chunk, first_line }) =>
        fenced(reader.chunkText(best.no, chunk), openFence(above.slice(opening.first_line - 1, first_line - 1))),
      )
      .join("\n\n"),
  };
}

/** A part of a long code block, in a fence of its own. `before`: the fence that is open where it starts. */
function fenced(part: string, before: string | undefined): string {
  return closed(before === undefined ? part : `${before}\n${part}`);
}

/** Also in those of the team. `here`: only in those of the project one stands in. */
export function findInConversations(dex: Dex, query: string, limit: number, here = false): Promise<Passage[]> {
  return withTeam(dex, {}, (joined) => passagesOf(joined, query, limit, here));
}

async function passagesOf(dex: Dex, query: string, limit: number, here: boolean): Promise<Passage[]> {
  // Without a usable index, a search reads the archive; its messages cannot be opened.
  if (dex.indexState !== "ready") return [];
  // A project without conversations is not an error here.
  if (here && dex.store.count({ below: foldersHere(dex) }) === 0) return [];
  const wanted = { ...SEARCH_DEFAULTS, query, limit, ...(here ? { project: "." } : {}) };
  const { results } = await searchConversations(dex, wanted, {});
  return results.flatMap(
    ({ id, source, address = `${source}:${id}`, title, message_index, snippet, score_final }): Passage[] => {
      const row = resolveConversation(dex, address);
      const message = loadMessages(dex, row, message_index, message_index + 1)[0]?.message;
      const text = message && wordsOf(message);
      const isQuestion = message?.role === "user" && text !== undefined && ASKS.test(text);
      const own = message?.role === "assistant" && text !== undefined ? withoutAnnouncements(text) : text;
      const reply = isQuestion || own === "" ? replyTo(dex, row, message_index) : undefined;
      const said = reply?.text ?? own?.slice(0, MAX_MESSAGE_CHARS) ?? snippet;
      if (said === "") return [];
      return [
        {
          collection: CONVERSATIONS,
          document: fullAddress(dex, row),
          section: `#${reply?.index ?? message_index}`,
          // The question stands above its reply like a heading.
          title: isQuestion && reply ? cleanLine(text, MAX_QUESTION_CHARS) : title,
          text: said,
          score: score_final,
          ...row.team,
        },
      ];
    },
  );
}

/** "Now let me run the tests:" has the words of a question about tests, and says nothing about them. */
function withoutAnnouncements(text: string): string {
  const kept = text
    .slice(0, MAX_MESSAGE_CHARS)
    .replaceAll(ANNOUNCED, (sentence) => (GIVES_REASON.test(sentence) ? sentence : ""))
    .trim();
  // A colon at the end leads to the call of a tool.
  return kept.endsWith(":") ? kept.slice(0, Math.max(0, kept.search(LAST_SENTENCE))).trim() : kept;
}

/** The last words of the agent before the person speaks again: what it found out. */
function replyTo(dex: Dex, row: ConversationRow, index: number): { index: number; text: string } | undefined {
  let reply: { index: number; text: string } | undefined;
  for (const each of eachMessage(dex, row, index + 1, Math.min(row.messages, index + 1 + MAX_REPLY_MESSAGES))) {
    const { role, parts } = each.message;
    if (role === "user" && parts.some(({ type }) => type === "text")) break;
    if (role !== "assistant" || !parts.some((part) => part.type === "text" && part.text.trim() !== "")) continue;
    const text = withoutAnnouncements(wordsOf(each.message) ?? "");
    if (text !== "") reply = { index: each.index, text };
  }
  return reply;
}

/** The text of a message without its tool calls, whose words state nothing; of a message of calls alone, the calls. */
function wordsOf(message: Message): string | undefined {
  const said = { ...message, parts: message.parts.filter(({ type }) => type === "text") };
  return renderMessage(said, "stripped") ?? renderMessage(message, "stripped");
}

/** The path of headings, without a first one that repeats the title. Empty before the first heading. */
export function sectionName(headings: readonly string[], title: string): string {
  return (headings[0] === title ? headings.slice(1) : headings).join(" > ");
}
