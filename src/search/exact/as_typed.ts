/**
 * Finds a query as it was typed: where it occurs, whether a minus in it belongs to a flag, and a note if it occurs
 * nowhere.
 */
import type { Dex } from "../../dex.ts";
import { plural } from "../../kernel/text.ts";
import type { Accept } from "../../ranking/scores/grouping.ts";
import type { ConversationFilter } from "../../store/ports.ts";
import { type ParsedQuery, parseQuery } from "../query/query.ts";
import { findTyped } from "./find_typed.ts";
import type { MessageLines } from "./message_lines.ts";
import { QuotedPlaces, type ReadShared } from "./quoted.ts";

/**
 * Limits of the search for an unquoted query as typed. They are the same for every page, so that the pages of an answer
 * are consistent. Reading the `blocks` of the archive takes a few milliseconds: longer for a name, whose ranking is
 * quicker than a sentence's. Of the messages with all of the words, so many are `compared` by their order of words.
 */
const CHECKED = { conversations: 20, blocks: 10, compared: 160 } as const;
const CHECKED_FOR_NAME = { ...CHECKED, blocks: 12 } as const;

const MAX_CHECKED_MINUSES = 2;

/** Where the query, or the quoted text in it, occurs as typed. */
export interface ExactPlaces {
  isNowhere: boolean;
  /** The first known message with it; null if only the title has it, undefined if no place is known. */
  firstIn(no: number): number | null | undefined;
  /** For a quoted text: accepts only these places. */
  accept?: Accept;
  /** Set if dex did not read every message of the team that may contain the quoted text. */
  shared?: ReadShared | undefined;
  /** Conversations that rank above the others. */
  tiers?: ReadonlyMap<number, number>;
}

/** Looks everywhere for a quoted text, otherwise in as many conversations as are shown. */
export function exactPlaces(
  dex: Dex,
  lines: MessageLines,
  query: ParsedQuery,
  filter: ConversationFilter,
): ExactPlaces | undefined {
  if (query.quoted.length > 0) {
    const places = new QuotedPlaces(dex, lines, query, filter);
    const { isNowhere, has: accept, shared } = places;
    return { isNowhere, firstIn: (no) => places.firstIn(no), accept, shared };
  }
  if (!query.typed) return undefined;
  const limits = query.typed.isName ? CHECKED_FOR_NAME : CHECKED;
  const { places, isComplete, owners } = findTyped(dex, lines, query.typed, query, filter, limits);
  const first = new Map(places.map(({ no, index }) => [no, index]));
  return { isNowhere: isComplete && places.length === 0, firstIn: (no) => first.get(no), tiers: owners };
}

/** A text that a message contains as typed, which shows that the minus belongs to a flag. */
export function typedFlag(
  dex: Dex,
  lines: MessageLines,
  { minuses }: ParsedQuery,
  filter: ConversationFilter,
): string | undefined {
  return minuses.slice(0, MAX_CHECKED_MINUSES).find((text) => {
    const query = parseQuery(text, {}, true, "stands");
    return (
      query?.typed && findTyped(dex, lines, query.typed, query, filter, { ...CHECKED, conversations: 1 }).places[0]
    );
  });
}

/** A note if no message contains the text as typed, or if dex did not read every message that may contain it. */
export function exactNote(
  { isNowhere, shared }: ExactPlaces,
  query: ParsedQuery,
  hasResults: boolean,
  redact: (text: string) => string,
): string | undefined {
  if (isNowhere) return nowhereNote(query, shared, hasResults, redact);
  if (!shared) return undefined;
  return `Of ${plural(shared.of, "message")} of the team with these words, dex read the ${shared.read} likeliest: others may contain what is quoted, too. A longer quotation or a filter narrows them down.`;
}

/** A name or quoted phrases, which users expect as typed, unlike a sentence of plain words; otherwise empty. */
export function expectedAsTyped({ phrases, typed }: ParsedQuery): string {
  const wanted = phrases.length > 0 ? phrases : typed?.isName ? [typed.text] : [];
  return wanted.map((text) => `"${text}"`).join(" and ");
}

function nowhereNote(
  query: ParsedQuery,
  shared: ReadShared | undefined,
  hasResults: boolean,
  redact: (text: string) => string,
): string | undefined {
  const asTyped = expectedAsTyped(query);
  if (asTyped === "") return undefined;
  const shown = redact(asTyped);
  const whose = shared ? ` of this home, and none of the ${shared.read} likeliest of the team,` : "";
  const nowhere = `No message${whose} contains ${shown} as typed`;
  if (shown !== asTyped) return `${nowhere}.`;
  const parts = query.words.flatMap((word) => word.split(/(?<=\p{Ll})(?=\p{Lu})/u));
  const isWhole = parts.length === 1 && query.typed?.text === parts[0];
  if (hasResults && isWhole) return `${nowhere}; these have it in another case or form.`;
  return hasResults ? `${nowhere}; these match its parts: ${parts.join(", ")}.` : `${nowhere}.`;
}
