/**
 * The messages and titles that contain what is quoted. The index names those that have its words; each of them is read
 * only when it is asked for, because a quoted word may be in thousands.
 */
import type { Dex } from "../../dex.ts";
import type { Holder } from "../../ranking/hits.ts";
import type { TermQuery } from "../../ranking/query.ts";
import type { ConversationFilter } from "../../store/ports.ts";
import { isIn, Rows } from "./find_typed.ts";
import type { MessageLines } from "./message_lines.ts";
import { type Whole, WholeMatcher } from "./whole.ts";

/** The most likely ones, which are read first to find out whether there is any. */
const LIKELY = 20;

export class QuotedPlaces {
  readonly #lines: MessageLines;
  readonly #matchers: readonly WholeMatcher[];
  readonly #rows: Rows;
  /** By conversation, its messages in order, the title (null) first: whether each contains it, as far as that is known. */
  readonly #known = new Map<number, Map<number | null, boolean | undefined>>();
  readonly #isAnywhere: boolean;

  constructor(dex: Dex, lines: MessageLines, wholes: readonly Whole[], query: TermQuery, filter: ConversationFilter) {
    this.#lines = lines;
    this.#matchers = wholes.map((whole) => new WholeMatcher(whole));
    this.#rows = new Rows(dex);
    const holders = dex.store.holders([...new Set(wholes.flatMap(({ terms }) => terms))], query, filter);
    const inOrder = holders.all().sort((a, b) => a.no - b.no || (a.index ?? -1) - (b.index ?? -1));
    for (const { no, index } of inOrder) {
      const own = this.#known.get(no);
      if (own) own.set(index, undefined);
      else this.#known.set(no, new Map([[index, undefined]]));
    }
    const has = ({ no, index }: Holder): boolean => this.has(no, index);
    // After the likely ones each conversation is read in one go: its blocks are not read twice.
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

  /** The first message of the conversation that contains it; null if only the title does, undefined if nothing does. */
  firstIn(no: number): number | null | undefined {
    const indices = [...(this.#known.get(no)?.keys() ?? [])];
    const first = indices.find((index) => index !== null && this.has(no, index));
    return first ?? (this.has(no, null) ? null : undefined);
  }
}
