/** Finds the messages that contain a text as typed: the index names those that have its words, and their texts decide. */
import type { Dex } from "../../dex.ts";
import type { Holder } from "../../ranking/hits.ts";
import type { TermQuery } from "../../ranking/query.ts";
import type { ConversationFilter, ConversationRow } from "../../store/ports.ts";
import { MAX_ORDERED_WORDS, WordOrder } from "../../text/word_order.ts";
import type { Typed } from "../query/query.ts";
import type { MessageLines } from "./message_lines.ts";
import { type Whole, WholeMatcher } from "./whole.ts";

export interface FoundWhole {
  places: Holder[];
  /** Whether every message that may contain it was read. */
  isComplete: boolean;
}

/** A typed text may stand anywhere, but the few texts that dex reads are those in which it is likely. */
export interface FoundTyped extends FoundWhole {
  /** Conversations with it: dex read it there, or the index has it as a term of a text that was not read. */
  owners: ReadonlySet<number>;
}

interface Limits {
  conversations: number;
  blocks: number;
  /** Messages whose order of words is compared before their text is read. */
  compared: number;
}

/** Messages and titles that contain all of these. */
export function findWhole(
  dex: Dex,
  lines: MessageLines,
  wholes: readonly Whole[],
  query: TermQuery,
  filter: ConversationFilter,
): FoundWhole {
  const terms = [...new Set(wholes.flatMap((whole) => whole.terms))];
  const matchers = wholes.map((whole) => new WholeMatcher(whole));
  // Each conversation is read in one go: its blocks are not read twice.
  const candidates = dex.store
    .holders(terms, query, filter)
    .sort((a, b) => a.no - b.no || (a.index ?? -1) - (b.index ?? -1));
  const rows = new Rows(dex);
  const places = candidates.filter(({ no, index }) => {
    const row = rows.of(no);
    return row !== undefined && isIn(row, index, matchers, lines);
  });
  return { places, isComplete: true };
}

/** For each conversation its best message that contains the typed text, until a limit is reached. */
export function findTyped(
  dex: Dex,
  lines: MessageLines,
  typed: Typed,
  query: TermQuery,
  filter: ConversationFilter,
  limits: Limits,
): FoundTyped {
  const matchers = [new WholeMatcher(typed)];
  const named = typed.names.length === 0 ? [] : dex.store.holders([...typed.terms, ...typed.names], query, filter);
  const others = dex.store.holders(typed.terms, query, filter);
  const likely = typed.names.length === 0 ? others : named;
  const found: Holder[] = [];
  const owners = new Set<number>();
  const refuted = new Set<number>();
  const rows = new Rows(dex);
  const before = lines.blocksRead;
  const codes = orderOf(typed);
  let isComplete = true;
  for (const [at, holder] of concatenated(named, others)) {
    if (owners.has(holder.no)) continue;
    const isOver = owners.size >= limits.conversations || lines.blocksRead - before >= limits.blocks;
    if (isOver || (codes && at >= limits.compared)) {
      isComplete = false;
      break;
    }
    if (codes && holder.index !== null && isElsewhere(codes, dex.store.wordOrder(holder.no, holder.index))) continue;
    const row = rows.of(holder.no);
    if (!row) continue;
    if (isIn(row, holder.index, matchers, lines)) {
      found.push(holder);
      owners.add(holder.no);
    } else {
      refuted.add(holder.no);
    }
  }
  if (typed.isTerm && !isComplete) for (const { no } of likely) if (!refuted.has(no)) owners.add(no);
  return { places: found, owners, isComplete };
}

function* concatenated(named: readonly Holder[], others: readonly Holder[]): Generator<[number, Holder]> {
  yield* named.entries();
  const seen = new Set(named.map(({ no, index }) => `${no}:${index}`));
  let at = named.length;
  for (const holder of others) {
    if (seen.has(`${holder.no}:${holder.index}`)) continue;
    yield [at, holder];
    at += 1;
  }
}

class Rows {
  readonly #dex: Dex;
  readonly #known = new Map<number, ConversationRow | undefined>();

  constructor(dex: Dex) {
    this.#dex = dex;
  }

  of(no: number): ConversationRow | undefined {
    if (!this.#known.has(no)) this.#known.set(no, this.#dex.store.byNo(no));
    return this.#known.get(no);
  }
}

/** The codes of words typed as they are, for comparison with stored orders; undefined for a name. */
function orderOf({ text }: Whole): Uint16Array | undefined {
  return /\s/.test(text) ? new WordOrder().of(text) : undefined;
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
