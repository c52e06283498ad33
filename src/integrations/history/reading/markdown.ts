/** Reading markdown transcripts line by line: which code fence is open, and what the next lines are. */

/** An open code fence: the mark that closes it, and its minimum length. */
export interface Fence {
  mark: string;
  length: number;
}

const FENCE = /^\s*(`{3,}|~{3,})(.*)$/;

/** The fence that is open after this line. */
export function nextFence(open: Fence | undefined, line: string): Fence | undefined {
  // Nearly every line is ruled out by its first character.
  const first = line.charCodeAt(0);
  if (isVisibleAscii(first) && first !== GRAVE && first !== TILDE) return open;
  const match = FENCE.exec(line);
  if (!match) return open;
  const mark = match[1]?.charAt(0) ?? "";
  const length = match[1]?.length ?? 0;
  const info = match[2] ?? "";
  if (!open) return mark === "`" && info.includes("`") ? undefined : { mark, length };
  return mark === open.mark && length >= open.length && info.trim() === "" ? undefined : open;
}

/** The info string of a line that opens a fence, or undefined. */
export function fenceInfo(line: string): string | undefined {
  return nextFence(undefined, line) ? FENCE.exec(line)?.[2]?.trim() : undefined;
}

/** Without empty lines before it and white space after it; the first line keeps its indent. */
export function trimLines(text: string): string {
  return text.replace(/^(?:[ \t]*\r?\n)+/, "").trimEnd();
}

/** Most lines begin with a letter or a mark, which needs no look at the rest. */
function isBlank(line: string): boolean {
  return !isVisibleAscii(line.charCodeAt(0)) && line.trim() === "";
}

const SPACE = 0x20;
const GRAVE = 0x60;
const TILDE = 0x7e;

function isVisibleAscii(code: number): boolean {
  return code > SPACE && code <= TILDE;
}

const LOOKAHEAD_LINES = 8;

/** Lines with a short lookahead. */
export class LookAhead {
  /** The last result of `next` follows an empty line, or begins the file. */
  afterBlank = true;
  #nextAfterBlank = true;
  readonly #source: Iterator<string>;
  readonly #queue: string[] = [];

  constructor(source: Iterable<string>) {
    this.#source = source[Symbol.iterator]();
  }

  next(): string | undefined {
    this.#fill(1);
    const line = this.#queue.shift();
    this.afterBlank = this.#nextAfterBlank;
    this.#nextAfterBlank = line !== undefined && isBlank(line);
    return line;
  }

  peek(): string | undefined {
    this.#fill(1);
    return this.#queue[0];
  }

  /** `peek` follows an empty line. */
  get peekAfterBlank(): boolean {
    return this.#nextAfterBlank;
  }

  /** The n-th of the next lines that is not empty. */
  ahead(n: number): string | undefined {
    this.#fill(LOOKAHEAD_LINES);
    return this.#queue.filter((line) => !isBlank(line))[n];
  }

  #fill(count: number): void {
    while (this.#queue.length < count) {
      const step = this.#source.next();
      if (step.done) return;
      this.#queue.push(step.value);
    }
  }
}
