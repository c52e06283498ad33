/**
 * Finds the messages that contain a text as typed. The index yields the messages with its words; reading their texts
 * decides.
 */
import type { Dex } from "../../dex.ts";
import type { Holder } from "../../ranking/hits.ts";
import type { Holders } from "../../ranking/holders.ts";
import type { TermQuery } from "../../ranking/query.ts";
import type { ConversationFilter, ConversationRow } from "../../store/ports.ts";
import { MAX_ORDERED_WORDS, WordOrder } from "../../text/terms/word_order.ts";
import type { Typed } from "../query/query.ts";
import type { MessageLines } from "./message_lines.ts";
import { WholeMatcher } from "./whole.ts";

/** dex reads only a few texts: those that are most likely to contain the typed text. */
export interface FoundTyped {
  places: Holder[];
  /** Whether every message that may contain it was read. */
  isComplete: boolean;
  /**
   * Conversations with the text: dex read it there, or the index has it as a term of a text that was not read. The
   * value is 2 if the case is the typed one although case does not decide, otherwise 1.
   */
  owners: ReadonlyMap<number, number>;
}

interface Limits {
  conversations: number;
  blocks: number;
  /** Messages whose order of words is compared before their text is read. */
  compared: number;
}

/** A stored order with at least this share of the message's words is complete: the index rounds their number. */
const MIN_ORDERED_SHARE = 0.96;

/** The best message with the typed text in each conversation, until a limit is reached. */
export function findTyped(
  dex: Dex,
  lines: MessageLines,
  typed: Typed,
  query: TermQuery,
  filter: ConversationFilter,
  limits: Limits,
): FoundTyped {
  const matchers = [new WholeMatcher(typed)];
  const hasCase = typed.anyCase && typed.text !== typed.text.toLowerCase();
  const withCase = hasCase ? new WholeMatcher({ text: typed.text, anyCase: false }) : undefined;
  const all = dex.store.holders(typed.terms, query, filter);
  const named =
    typed.names.length === 0 ? undefined : dex.store.holders([...typed.terms, ...typed.names], query, filter);
  const codes = new WordOrder().of(typed.text);
  const inOrder = namedFirst(all, named);
  const candidates = codes ? mostLikelyFirst(dex, codes, inOrder, limits.compared) : inOrder;
  const found: Holder[] = [];
  const owners = new Map<number, number>();
  const refuted = new Set<number>();
  const rows = new Rows(dex);
  const before = lines.blocksRead;
  let isComplete = !codes || all.count <= limits.compared;
  for (const holder of candidates) {
    if (owners.has(holder.no)) continue;
    if (owners.size >= limits.conversations || lines.blocksRead - before >= limits.blocks) {
      isComplete = false;
      break;
    }
    const row = rows.of(holder.no);
    if (!row) continue;
    if (isIn(row, holder.index, matchers, lines)) {
      found.push(holder);
      owners.set(holder.no, withCase && isIn(row, holder.index, [withCase], lines) ? 2 : 1);
    } else {
      refuted.add(holder.no);
    }
  }
  if (typed.isTerm && !isComplete)
    for (const no of (named ?? all).owners) if (!refuted.has(no) && !owners.has(no)) owners.set(no, 1);
  return { places: found, owners, isComplete };
}

/**
 * The messages whose stored order of words contains these codes, then those whose stored order is incomplete, each by
 * score. Messages with the words in another order are left out. At most `compared` messages are compared.
 */
function* mostLikelyFirst(dex: Dex, codes: Uint16Array, inOrder: Iterable<Holder>, most: number): Generator<Holder> {
  const unknown: Holder[] = [];
  let compared = 0;
  for (const holder of inOrder) {
    if (compared === most) break;
    compared += 1;
    const order = holder.index === null ? undefined : dex.store.wordOrder(holder.no, holder.index);
    if (order && hasRun(order, codes)) yield holder;
    else if (!order || !isWhole(order, holder)) unknown.push(holder);
  }
  yield* unknown;
}

/**
 * Whether the order has all words of the message: it contains those of the user and the assistant, but not thoughts and
 * tool output.
 */
function isWhole(order: Uint16Array, { words }: Holder): boolean {
  return order.length < MAX_ORDERED_WORDS && order.length >= words * MIN_ORDERED_SHARE - 1;
}

/** All by score, except that texts with the names of the typed text come first. */
function* namedFirst(all: Holders, named: Holders | undefined): Generator<Holder> {
  if (named) yield* named.bestFirst();
  const keyOf = ({ no, index }: Holder): string => `${no}:${index}`;
  const seen = new Set(named?.all().map(keyOf));
  for (const holder of all.bestFirst()) if (!named || !seen.has(keyOf(holder))) yield holder;
}

export class Rows {
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

function hasRun(order: Uint16Array, codes: Uint16Array): boolean {
  for (let at = order.indexOf(codes[0] as number); at >= 0; at = order.indexOf(codes[0] as number, at + 1)) {
    let same = 1;
    while (same < codes.length && order[at + same] === codes[same]) same += 1;
    if (same === codes.length) return true;
  }
  return false;
}

/** Whether a message, or the title (null), contains all of the texts. */
export function isIn(
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
