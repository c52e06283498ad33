/** Finds the messages that contain a text as typed: the index names those that have its words, and their texts decide. */
import type { Dex } from "../../dex.ts";
import type { Holder } from "../../ranking/hits.ts";
import type { TermQuery } from "../../ranking/query.ts";
import type { ConversationFilter, ConversationRow } from "../../store/ports.ts";
import { MAX_ORDERED_WORDS, WordOrder } from "../../text/word_order.ts";
import type { MessageLines } from "./message_lines.ts";
import { type Whole, WholeMatcher } from "./whole.ts";

export interface FoundWhole {
  places: Holder[];
  /** Whether every message that may contain it was read. */
  isComplete: boolean;
}

interface Limits {
  conversations: number;
  blocks: number;
  /** Messages whose order of words is compared before their text is read. */
  compared: number;
}

/** Messages and titles that contain all of these, best first. With limits, dex stops at the first that is reached. */
export function findWhole(
  dex: Dex,
  lines: MessageLines,
  wholes: readonly Whole[],
  query: TermQuery,
  filter: ConversationFilter,
  limits?: Limits,
): FoundWhole {
  const terms = [...new Set(wholes.flatMap((whole) => whole.terms))];
  const matchers = wholes.map((whole) => new WholeMatcher(whole));
  const candidates = dex.store.holders(terms, query, filter);
  // Without a limit each conversation is read in one go: its blocks are not read twice.
  if (!limits) candidates.sort((a, b) => a.no - b.no || (a.index ?? -1) - (b.index ?? -1));
  const rows = new Map<number, ConversationRow | undefined>();
  const found: Holder[] = [];
  const owners = new Set<number>();
  const before = lines.blocksRead;
  const codes = limits && orderOf(wholes);
  for (const [at, holder] of candidates.entries()) {
    if (limits && owners.has(holder.no)) continue;
    if (limits && codes) {
      if (at >= limits.compared) return { places: found, isComplete: false };
      if (holder.index !== null && isElsewhere(codes, dex.store.wordOrder(holder.no, holder.index))) continue;
    }
    if (limits && (owners.size >= limits.conversations || lines.blocksRead - before >= limits.blocks)) {
      return { places: found, isComplete: false };
    }
    if (!rows.has(holder.no)) rows.set(holder.no, dex.store.byNo(holder.no));
    const row = rows.get(holder.no);
    if (!row || !isIn(row, holder.index, matchers, lines)) continue;
    found.push(holder);
    owners.add(holder.no);
  }
  return { places: found, isComplete: true };
}

/** The codes of words typed as they are, for comparison with stored orders; undefined for a name. */
function orderOf(wholes: readonly Whole[]): Uint16Array | undefined {
  const [whole] = wholes;
  return wholes.length === 1 && whole && /\s/.test(whole.text) ? new WordOrder().of(whole.text) : undefined;
}

/** Whether a message has the words in another order only. Of a long message the order is not known to its end. */
function isElsewhere(codes: Uint16Array, order: Uint16Array | undefined): boolean {
  if (!order || order.length >= MAX_ORDERED_WORDS) return false;
  for (let at = order.indexOf(codes[0] as number); at >= 0; at = order.indexOf(codes[0] as number, at + 1)) {
    let same = 1;
    while (same < codes.length && order[at + same] === codes[same]) same += 1;
    if (same === codes.length) return false;
  }
  return true;
}

function isIn(
  row: ConversationRow,
  index: number | null,
  matchers: readonly WholeMatcher[],
  lines: MessageLines,
): boolean {
  if (index === null) return matchers.every((matcher) => matcher.isIn(row.title));
  const line = lines.rawLine(row, index);
  if (line === undefined || !matchers.every((matcher) => matcher.mayBeIn(line))) return false;
  const text = lines.searchable(row, index);
  return matchers.every((matcher) => matcher.isIn(text));
}

/** By conversation, its first place; a title only if no message has it. */
export function firstPlaces(places: readonly Holder[]): Map<number, number | null> {
  const first = new Map<number, number | null>();
  for (const { no, index } of places) if ((first.get(no) ?? null) === null) first.set(no, index);
  return first;
}
