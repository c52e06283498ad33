/**
 * The postings of one term in one segment, read from its block, without those of deleted documents. The loops run as
 * WebAssembly: a hook would end before V8 has compiled them.
 */
import { CRC_TABLE_WORDS, Loops } from "../../loops/loops.ts";
import type { SegmentSource } from "../ports.ts";
import { isDead, type Segment } from "../segment.ts";
import { undamaged } from "./damage.ts";

export interface PostingList {
  /** Both arrays may be longer than `count`. */
  documents: Uint32Array;
  weights: Uint8Array;
  count: number;
}

const EMPTY: PostingList = { documents: new Uint32Array(), weights: new Uint8Array(), count: 0 };

export function postingList(source: SegmentSource, segment: Segment, term: string): PostingList {
  const data = source.termBlock(segment.id, term);
  if (!data) return EMPTY;
  const list = postingsIn(data, term, segment.documents);
  return segment.dead ? withoutDead(segment, list) : list;
}

/** Safe for any bytes: throws `DamagedBlock` unless they are a block of terms over `documents` documents. */
export function postingsIn(data: Uint8Array, term: string, documents: number): PostingList {
  const name = encoder.encode(term);
  const needed = data.length + name.length;
  if (!reader || reader.capacity < needed) reader = new BlockReader(Math.max(MIN_CAPACITY, 2 * needed));
  return reader.postings(data, name, documents);
}

const MIN_CAPACITY = 1 << 15;
const encoder = new TextEncoder();
/** One reader per thread. */
let reader: BlockReader | undefined;

/** Memory for a block, the name of a term, and its postings, each of which takes at least a byte. */
class BlockReader {
  readonly capacity: number;
  readonly #run: Loops["run"];
  readonly #input: Uint8Array;
  readonly #crcTable: Uint32Array;
  /** The start and the end of a term's postings, and its number of documents. */
  readonly #found: Uint32Array;
  readonly #documents: Uint32Array;
  readonly #weights: Uint8Array;

  constructor(capacity: number) {
    this.capacity = capacity;
    const loops = new Loops([capacity, CRC_TABLE_WORDS * 4, 3 * 4, capacity * 4, capacity]);
    this.#run = loops.run;
    this.#input = loops.bytes(capacity);
    this.#crcTable = loops.words(CRC_TABLE_WORDS);
    this.#found = loops.words(3);
    this.#documents = loops.words(capacity);
    this.#weights = loops.bytes(capacity);
    this.#run.makeCrcTable(this.#crcTable.byteOffset);
  }

  postings(block: Uint8Array, name: Uint8Array, documents: number): PostingList {
    const { byteOffset: at } = this.#input;
    this.#input.set(block);
    this.#input.set(name, block.length);
    const nameAt = at + block.length;
    const { byteOffset: tableAt } = this.#crcTable;
    const { byteOffset: foundAt } = this.#found;
    if (undamaged(this.#run.findTerm(at, block.length, nameAt, name.length, tableAt, foundAt)) === 0) return EMPTY;
    const [start, end] = this.#found as unknown as [number, number];
    const { byteOffset: documentsAt } = this.#documents;
    const { byteOffset: weightsAt } = this.#weights;
    const count = undamaged(this.#run.decode(start, end, documents, documentsAt, weightsAt));
    return { documents: this.#documents.slice(0, count), weights: this.#weights.slice(0, count), count };
  }
}

function withoutDead(segment: Segment, { documents, weights, count }: PostingList): PostingList {
  let kept = 0;
  for (let i = 0; i < count; i += 1) {
    const document = documents[i] as number;
    if (isDead(segment, document)) continue;
    documents[kept] = document;
    weights[kept] = weights[i] as number;
    kept += 1;
  }
  return { documents, weights, count: kept };
}
