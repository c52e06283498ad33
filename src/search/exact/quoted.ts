/**
 * The messages and titles that contain what is quoted. The index names those that have its words; each of them is read
 * only when it is asked for, because a quoted word may be in thousands. Of the messages of a team, which may have to be
 * fetched, only the likeliest are read; which ones these are depends on the index alone, so that the same question reads
 * the same ones again.
 */
import type { Dex } from "../../dex.ts";
import type { Holder } from "../../ranking/hits.ts";
import type { Holders } from "../../ranking/holders.ts";
import type { ConversationFilter } from "../../store/ports.ts";
import type { ParsedQuery } from "../query/query.ts";
import { isIn, Rows } from "./find_typed.ts";
import type { MessageLines } from "./message_lines.ts";
import { WholeMatcher } from "./whole.ts";

/** The most likely ones, which are read first to find out whether there is any. */
const LIKELY = 20;
/** Messages of the team that are read, */
const MAX_SHARED = 180;
/** and those of one conversation: its best three decide its rank. */
const MAX_SHARED_OF_ONE = 3;

/** Messages of the team that have the words: how many of them were read, and how many there are. */
export interface ReadShared {
  read: number;
  of: number;
}

export class QuotedPlaces {
  readonly #lines: MessageLines;
  readonly #matchers: readonly WholeMatcher[];
  readonly #rows: Rows;
  /** By conversation, its messages in order, the title (null) first: whether each contains it, as far as that is known. */
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
    const inOrder = holders.all().sort((a, b) => a.no - b.no || (a.index ?? -1) - (b.index ?? -1));
    for (const { no, index } of inOrder) {
      const own = this.#known.get(no);
      if (own) own.set(index, undefined);
      else this.#known.set(no, new Map([[index, undefined]]));
    }
    const { isShared } = dex.store;
    this.shared = isShared && this.#leaveOut(inOrder, holders, isShared);
    const has = ({ no, index }: Holder): boolean => this.has(no, index);
    // After the likely ones each conversation is read in one go: its blocks are not read twice.
    this.#isAnywhere = holders.bestFirst().take(LIKELY).some(has) || inOrder.some(has);
  }

  /** Of the messages of the team, those that are not read count as not containing it. Titles need not be fetched. */
  #leaveOut(all: readonly Holder[], holders: Holders, isShared: (no: number) => boolean): ReadShared | undefined {
    const shared = all.filter(({ no, index }) => index !== null && isShared(no));
    if (shared.length <= MAX_SHARED) return undefined;
    const chosen = new Map<number, Set<number | null>>();
    let read = 0;
    for (const { no, index } of holders.bestFirst()) {
      const own = chosen.get(no) ?? new Set();
      if (index === null || own.size === MAX_SHARED_OF_ONE || !isShared(no)) continue;
      chosen.set(no, own.add(index));
      read += 1;
      if (read === MAX_SHARED) break;
    }
    for (const { no, index } of shared) if (!chosen.get(no)?.has(index)) this.#known.get(no)?.set(index, false);
    return { read, of: shared.length };
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

  /** The first message of the conversation that contains it; null if only the title does, undefined if nothing does. */
  firstIn(no: number): number | null | undefined {
    const indices = [...(this.#known.get(no)?.keys() ?? [])];
    const first = indices.find((index) => index !== null && this.has(no, index));
    return first ?? (this.has(no, null) ? null : undefined);
  }
}
