/**
 * The rows and word orders of shared messages. They are fetched and kept as the server packed them, some documents
 * together, and those of the last questions are kept unpacked. Hooks load this file, so it imports no package.
 */
import { type Detail, type DetailRow, unpackDetails } from "../../shared/details.ts";
import { addMiss, type Misses } from "../../shared/misses.ts";
import { DOCUMENTS_PER_DETAIL } from "../../shared/segment.ts";
import type { Prepare } from "../connection.ts";
import type { FetchedParts } from "./fetched.ts";
import { bytesOfRow } from "./rows.ts";

/** About 10 MB. A question compares the orders of about 160 messages. */
const MAX_UNPACKED = 400;

export class SharedDetails {
  readonly #prepare: Prepare;
  readonly #misses: () => Misses;
  readonly #fetched: FetchedParts;
  /** By segment and first document, the least recently unpacked first. */
  readonly #unpacked = new Map<string, readonly Detail[]>();

  constructor(prepare: Prepare, misses: () => Misses, fetched: FetchedParts) {
    this.#prepare = prepare;
    this.#misses = misses;
    this.#fetched = fetched;
  }

  /** Call it after segments were removed or added: a new one may reuse the number of an old one. */
  clear(): void {
    this.#unpacked.clear();
  }

  /** Unpacks the details of the documents from `first` on, which also checks them. */
  unpack(segment: number, first: number, data: Uint8Array): readonly Detail[] {
    const details = unpackDetails(data);
    this.#unpacked.set(`${segment} ${first}`, details);
    for (const oldest of this.#unpacked.keys()) {
      if (this.#unpacked.size <= MAX_UNPACKED) break;
      this.#unpacked.delete(oldest);
    }
    return details;
  }

  order(no: number, slot: number): Uint8Array | undefined {
    let order: Uint8Array | null | undefined;
    for (const { detail } of this.#of(no, slot, slot + 1)) order = detail.order;
    return order ?? undefined;
  }

  /** By slot. */
  rows(no: number, from: number, to: number): Map<number, DetailRow> {
    const rows = new Map<number, DetailRow>();
    for (const { slot, detail } of this.#of(no, from, to)) if (detail.row) rows.set(slot, detail.row);
    return rows;
  }

  /** Those of the messages `from` to `to` (exclusive) that are here; the others are noted. The last of a slot counts. */
  *#of(no: number, from: number, to: number): Generator<{ slot: number; detail: Detail }> {
    const runs = this.#prepare(
      "SELECT segment, document, slot, count FROM shared_runs WHERE no = ? AND slot < ? AND slot + count > ? ORDER BY slot, segment",
    ).all(no, to, from);
    for (const run of runs) {
      const [segment, document, slot, count] = [run.segment, run.document, run.slot, run.count].map(Number) as [
        number,
        number,
        number,
        number,
      ];
      const last = document + Math.min(count, to - slot);
      let details: readonly Detail[] | undefined;
      let begin = -1;
      for (let at = document + Math.max(0, from - slot); at < last; at += 1) {
        const first = at - (at % DOCUMENTS_PER_DETAIL);
        if (first !== begin) [begin, details] = [first, this.#details(segment, first)];
        const detail = details?.[at - first];
        if (detail) yield { slot: slot + at - document, detail };
      }
    }
  }

  #details(segment: number, first: number): readonly Detail[] | undefined {
    const known = this.#unpacked.get(`${segment} ${first}`);
    if (known) {
      this.#fetched.touch("detail", segment, first);
      return known;
    }
    const row = this.#prepare("SELECT data FROM held_details WHERE segment = ? AND first = ?").get(segment, first);
    if (!row) {
      addMiss(this.#misses().details, segment, first);
      return undefined;
    }
    this.#fetched.touch("detail", segment, first);
    return this.unpack(segment, first, bytesOfRow(row.data));
  }
}
