/**
 * The texts of messages that are analysed and embedded. A reader hands them over as numbers, so that the recorder needs
 * neither the messages nor strings of them, and the words of all readers are learned once.
 */
import type { Message, Part, Role } from "../../conversations/model.ts";
import { searchableText } from "../../conversations/texts/searchable.ts";
import { WEIGHT_UNIT } from "../../ranking/terms/postings.ts";
import { toolMark } from "../../text/terms/marks.ts";

/** `weight`: of each term, in quarters. `isOrdered`: the order of its words counts. `isEmbedded`: it gets vectors. */
type VisitText = (text: string, weight: number, isOrdered: boolean, isEmbedded: boolean) => void;

/**
 * The order is that of all that user and assistant wrote, and gave to tools. Tool output is not embedded; it is found by
 * its words.
 */
export function visitTexts({ parts, role }: Message, visit: VisitText): void {
  const isSpoken = role === "user" || role === "assistant";
  for (const part of parts) {
    const isText = isSpoken && part.type === "text";
    visit(searchableText(part), partWeight(part, role), isText || (isSpoken && part.type === "tool_call"), isText);
    if ((part.type === "tool_call" || part.type === "tool_result") && part.name) {
      visit(toolMark(part.name), WEIGHT_UNIT, false, false);
    }
  }
}

/** Text of user and assistant counts for more than tool output. */
function partWeight(part: Part, role: Role): number {
  if (part.type === "tool_call") return 6;
  if (part.type === "tool_result") return 2;
  if (part.type === "thinking") return 3;
  return role === "user" ? 8 : role === "assistant" ? 6 : 3;
}

/** The texts of a block's messages. */
export interface BlockTexts {
  /** The UTF-16 units of all texts, one after the other. */
  units: Uint16Array<ArrayBuffer>;
  /** For each message: how many texts it has, and `NUMBERS` for each of them. */
  numbers: Uint32Array<ArrayBuffer>;
}

/** The length of a text, its weight, and its uses. */
const NUMBERS = 3;
const ORDERED = 1;
const EMBEDDED = 2;
/** Most blocks fit. Memory that a huge text enlarged is not kept. */
const CAPACITY = 128 << 10;

/** Collects the texts of a block. */
export class TextBuffer {
  #units: Buffer = Buffer.alloc(0);
  #used = 0;
  #numbers: number[] = [];

  add(message: Message): void {
    const countAt = this.#numbers.push(0) - 1;
    let count = 0;
    visitTexts(message, (text, weight, isOrdered, isEmbedded) => {
      this.#reserve(text.length * 2);
      this.#units.write(text, this.#used, "utf16le");
      this.#used += text.length * 2;
      this.#numbers.push(text.length, weight, (isOrdered ? ORDERED : 0) | (isEmbedded ? EMBEDDED : 0));
      count += 1;
    });
    this.#numbers[countAt] = count;
  }

  /** All texts, in memory of their own; the buffer is empty then. */
  take(): BlockTexts {
    const units = new Uint16Array(this.#used / 2);
    new Uint8Array(units.buffer).set(this.#units.subarray(0, this.#used));
    const numbers = Uint32Array.from(this.#numbers);
    if (this.#units.length > CAPACITY * 2) this.#units = Buffer.alloc(0);
    this.#used = 0;
    this.#numbers = [];
    return { units, numbers };
  }

  #reserve(more: number): void {
    const needed = this.#used + more;
    if (needed <= this.#units.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#used * 2, CAPACITY * 2));
    larger.set(this.#units.subarray(0, this.#used));
    this.#units = larger;
  }
}

type VisitUnits = (units: Uint16Array<ArrayBuffer>, weight: number, isOrdered: boolean, isEmbedded: boolean) => void;

/** Reads the texts of a block, message by message. */
export class TextCursor {
  readonly #texts: BlockTexts;
  #unit = 0;
  #number = 0;

  constructor(texts: BlockTexts) {
    this.#texts = texts;
  }

  /** Visits the texts of the next message. */
  next(visit: VisitUnits): void {
    const { units, numbers } = this.#texts;
    const count = numbers[this.#number++] as number;
    for (let i = 0; i < count; i += 1) {
      const start = this.#unit;
      const uses = numbers[this.#number + 2] as number;
      this.#unit += numbers[this.#number] as number;
      const weight = numbers[this.#number + 1] as number;
      this.#number += NUMBERS;
      visit(units.subarray(start, this.#unit), weight, (uses & ORDERED) !== 0, (uses & EMBEDDED) !== 0);
    }
  }

  skip(messages: number): void {
    for (let i = 0; i < messages; i += 1) this.next(() => {});
  }
}
