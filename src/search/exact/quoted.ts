/**
 * The messages and titles that contain the quoted texts. The index yields candidates; dex reads a candidate only when a
 * caller asks, because thousands may have a quoted word. Messages of the team may have to be fetched, so dex reads only
 * the likeliest of them. The index alone decides which, so that the same question reads the same messages again.
 */
import type { Dex } from "../../dex.ts";
import type { Holder } from "../../ranking/hits.ts";
import type { Holders } from "../../ranking/holders.ts";
import type { ConversationFilter } from "../../store/ports.ts";
import type { ParsedQuery } from "../query/query.ts";
import { isIn, Rows } from "./find_typed.ts";
import type { MessageLines } from "./message_lines.ts";
import { WholeMatcher } from "./whole.ts";

/** The number of most likely messages that are read first to find out whether there is any match. */
const LIKELY = 20;
/** The most messages of the team that are read, */
const MAX_SHARED = 180;
/** and of one of its conversations: its best three messages decide its rank. */
const MAX_SHARED_OF_ONE = 3;

/** The messages of the team with the words: how many were read, and how many there are. */
export interface ReadShared {
  read: number;
  of: number;
}

export class QuotedPlaces {
  readonly #lines: MessageLines;
  readonly #matchers: readonly WholeMatcher[];
  readonly #rows: Rows;
  /**
   * By conversation: the messages that may contain the texts, in order, with the title (null) first; and whether each
   * one does, as far as known.
   */
  readonly #known = new Map<number, Map<number | null, boolean | undefined>>();
  readonly #isAnywhere: boolean;
  /** Undefined if all were read. */
  readonly shared: ReadShared | undefined;

  constructor(dex: Dex, lines: MessageLines, query: ParsedQuery, filter: ConversationFilter) {
    this.#lines = lines;
    this.#matchers = query.quoted.map((whole) => new WholeMatcher(whole));
    this.#rows = new Rows(dex);
    const terms = [...new Set(query.quoted.flatMap((whole) => whole.terms))];
    const holders = dex.store.holders(terms, query, filter, query.terms);
    const chosen = dex.store.isShared && chooseShared(holders, dex.store.isShared);
    this.shared = chosen?.shared;
    const inOrder = holders.all(chosen?.isRead).sort((a, b) => a.no - b.no || (a.index ?? -1) - (b.index ?? -1));
    for (const { no, index } of inOrder) {
      const own = this.#known.get(no);
      if (own) own.set(index, undefined);
      else this.#known.set(no, new Map([[index, undefined]]));
    }
    const has = ({ no, index }: Holder): boolean => this.has(no, index);
    // After the likely messages, each conversation is read in one go, so that no block is read twice.
    this.#isAnywhere = holders.bestFirst().take(LIKELY).some(has) || inOrder.some(has);
  }

  get isNowhere(): boolean {
    return !this.#isAnywhere;
  }

  readonly has = (no: number, index: number | null): boolean => {
    const own = this.#known.get(no);
    if (!own?.has(index)) return false;
    const known = own.get(index);
    if (known !== undefined) return known;
    const row = this.#rows.of(no);
    const found = row !== undefined && isIn(row, index, this.#matchers, this.#lines);
    own.set(index, found);
    return found;
  };

  /**
   * The first message of the conversation with the texts; null if only the title has them, undefined if nothing does.
   */
  firstIn(no: number): number | null | undefined {
    const indices = [...(this.#known.get(no)?.keys() ?? [])];
    const first = indices.find((index) => index !== null && this.has(no, index));
    return first ?? (this.has(no, null) ? null : undefined);
  }
}

interface Chosen {
  isRead: (no: number, index: number | null) => boolean;
  shared: ReadShared;
}

/** Undefined if all messages can be read. Titles need no fetching. */
function chooseShared(holders: Holders, isShared: (no: number) => boolean): Chosen | undefined {
  const isOfTeam = (no: number, index: number | null): boolean => index !== null && isShared(no);
  const of = holders.countOf(isOfTeam);
  if (of <= MAX_SHARED) return undefined;
  const chosen = new Map<number, Set<number | null>>();
  let read = 0;
  for (const { no, index } of holders.bestFirst()) {
    const own = chosen.get(no) ?? new Set();
    if (own.size === MAX_SHARED_OF_ONE || !isOfTeam(no, index)) continue;
    chosen.set(no, own.add(index));
    read += 1;
    if (read === MAX_SHARED) break;
  }
  const isRead = (no: number, index: number | null): boolean =>
    !isOfTeam(no, index) || chosen.get(no)?.has(index) === true;
  return { isRead, shared: { read, of } };
}
