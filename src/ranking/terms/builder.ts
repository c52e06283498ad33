/** Collects documents in memory until they are written as a segment: an immutable index over a run of messages. */
import { BlockPacker, sortedTerms, type TermBlock } from "./blocks.ts";
import { packPostings } from "./postings.ts";

export interface NewDocument {
  no: number;
  slot: number;
  role: number;
  /** The number of its words. */
  length: number;
  /** Alternating: the number of a term, and its weight in quarters. */
  terms: Uint32Array;
  /** A row for each window of text. */
  vectors?: Int8Array;
}

export interface SegmentData {
  documents: number;
  /** Alternating for each document: its owner and its slot. Role and length take one byte each. */
  places: Uint32Array;
  roles: Uint8Array;
  lengths: Uint8Array;
}

/** Postings (term, weight) are collected in the order of their documents. */
const INITIAL_CAPACITY = 1 << 16;
const MAX_TERM_LISTS = 8;

export class SegmentBuilder {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];
  /** How many postings each term has. */
  #counts = new Uint32Array(INITIAL_CAPACITY);
  #terms = new Uint32Array(INITIAL_CAPACITY);
  #weights = new Uint8Array(INITIAL_CAPACITY);
  #postings = 0;
  /** The start of each document's postings. */
  readonly #starts: number[] = [];
  /** For each thread's list of terms: the number of each term in this segment plus one; 0 while unknown. */
  readonly #translations = new Map<readonly string[], Int32Array>();
  readonly #places: number[] = [];
  readonly #roles: number[] = [];
  readonly #lengths: number[] = [];
  readonly #vectors: { document: number; rows: Int8Array }[] = [];

  get documents(): number {
    return this.#roles.length;
  }

  get postings(): number {
    return this.#postings;
  }

  /** `names` gives a term's text by its number. Returns the document's number in the segment. */
  add(document: NewDocument, names: readonly string[]): number {
    const number = this.#roles.length;
    this.#places.push(document.no, document.slot);
    this.#roles.push(document.role);
    this.#lengths.push(encodeLength(document.length));
    if (document.vectors && document.vectors.length > 0) {
      this.#vectors.push({ document: number, rows: document.vectors });
    }
    const { terms } = document;
    this.#starts.push(this.#postings);
    this.#reserve(terms.length / 2);
    // A list of only these terms, as a title has, would take the place of a thread's list.
    const translation = names.length > terms.length / 2 ? this.#translationOf(names) : undefined;
    const [all, weights] = [this.#terms, this.#weights];
    let at = this.#postings;
    for (let i = 0; i < terms.length; i += 2) {
      const foreign = terms[i] as number;
      let term = (translation?.[foreign] ?? 0) - 1;
      if (term < 0) {
        term = this.#number(names[foreign] as string);
        if (translation) translation[foreign] = term + 1;
      }
      weights[at] = Math.min(255, terms[i + 1] as number);
      all[at] = term;
      this.#counts[term] = (this.#counts[term] as number) + 1;
      at += 1;
    }
    this.#postings = at;
    return number;
  }

  #translationOf(names: readonly string[]): Int32Array {
    const known = this.#translations.get(names);
    if (known && names.length <= known.length) return known;
    // An analyser that started a new list of terms never uses its old one again.
    if (!known && this.#translations.size >= MAX_TERM_LISTS) this.#translations.clear();
    const translation = new Int32Array(Math.max(INITIAL_CAPACITY, names.length * 2));
    if (known) translation.set(known);
    this.#translations.set(names, translation);
    return translation;
  }

  /** All vectors, with the document of each. */
  vectors(dims: number): { owners: Uint32Array; rows: Int8Array } {
    const count = this.#vectors.reduce((sum, { rows }) => sum + rows.length / dims, 0);
    const owners = new Uint32Array(count);
    const all = new Int8Array(count * dims);
    let at = 0;
    for (const { document, rows } of this.#vectors) {
      const windows = rows.length / dims;
      owners.fill(document, at, at + windows);
      all.set(rows, at * dims);
      at += windows;
    }
    return { owners, rows: all };
  }

  /** Packs all terms, in order, and emits each block. */
  write(give: (block: TermBlock) => void): SegmentData {
    const packer = new BlockPacker(give);
    const { documents, weights, ends } = this.#byTerm();
    for (const name of sortedTerms(this.#names)) {
      const term = this.#numbers.get(name) as number;
      const count = this.#counts[term] as number;
      const end = ends[term] as number;
      packer.add(name, count, packPostings(documents, weights, end - count, end));
    }
    packer.flush();
    return {
      documents: this.#roles.length,
      places: Uint32Array.from(this.#places),
      roles: Uint8Array.from(this.#roles),
      lengths: Uint8Array.from(this.#lengths),
    };
  }

  /** The documents and weights of all postings, sorted by term and document, and the end of each term's postings. */
  #byTerm(): { documents: Uint32Array; weights: Uint8Array; ends: Uint32Array } {
    const documents = new Uint32Array(this.#postings);
    const weights = new Uint8Array(this.#postings);
    const ends = new Uint32Array(this.#names.length);
    for (let term = 1; term < ends.length; term += 1) {
      ends[term] = (ends[term - 1] as number) + (this.#counts[term - 1] as number);
    }
    for (let document = 0; document < this.#starts.length; document += 1) {
      const end = this.#starts[document + 1] ?? this.#postings;
      for (let at = this.#starts[document] as number; at < end; at += 1) {
        const term = this.#terms[at] as number;
        const to = ends[term] as number;
        documents[to] = document;
        weights[to] = this.#weights[at] as number;
        ends[term] = to + 1;
      }
    }
    return { documents, weights, ends };
  }

  /** Removes all documents. The next segment reuses the memory. */
  clear(): void {
    this.#counts.fill(0, 0, this.#names.length);
    for (const translation of this.#translations.values()) translation.fill(0);
    this.#numbers.clear();
    for (const list of [this.#names, this.#starts, this.#places, this.#roles, this.#lengths, this.#vectors])
      list.length = 0;
    this.#postings = 0;
  }

  #number(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#names.length;
      this.#names.push(name);
      this.#numbers.set(name, number);
      if (number >= this.#counts.length) this.#counts = grown(this.#counts, new Uint32Array(number * 2));
    }
    return number;
  }

  #reserve(more: number): void {
    const needed = this.#postings + more;
    if (needed <= this.#terms.length) return;
    const capacity = Math.max(needed, this.#terms.length * 2);
    this.#weights = grown(this.#weights, new Uint8Array(capacity));
    this.#terms = grown(this.#terms, new Uint32Array(capacity));
  }
}

function grown<T extends Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

const LENGTH_SCALE = 11;

/** A length in one byte, exact when small and within a few percent when large. */
export function encodeLength(words: number): number {
  return Math.min(255, Math.round(LENGTH_SCALE * Math.log2(1 + words)));
}

/** The number of words for each length byte. */
export const LENGTHS: Float64Array = Float64Array.from({ length: 256 }, (_, code) => 2 ** (code / LENGTH_SCALE) - 1);
