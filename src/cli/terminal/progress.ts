/** Progress on standard error: a bar on a terminal, a plain line now and then elsewhere. */
import { fit } from "../../rendering/width.ts";

export interface Progress {
  update(done: number, total: number, label: string): void;
  end(): void;
}

export interface ProgressOptions {
  title: string;
  /** Shown on a terminal until the first update, where that takes a while. */
  beforehand?: string;
}

const WIDE = 90;
const BAR = { wide: 24, narrow: 10 };
const REDRAW_MS = 80;
const PLAIN_MS = 2000;
/** The line is drawn again without news, so that its clock goes on. */
const TICK_MS = 500;

interface State {
  done: number;
  total: number;
  label: string;
}

export function startProgress(stream: NodeJS.WriteStream, options: ProgressOptions): Progress {
  return stream.isTTY === true ? new Bar(stream, options) : new Lines(stream, options.title);
}

class Lines implements Progress {
  readonly #stream: NodeJS.WriteStream;
  readonly #title: string;
  #last = Date.now();

  constructor(stream: NodeJS.WriteStream, title: string) {
    this.#stream = stream;
    this.#title = title;
  }

  update(done: number, total: number, label: string): void {
    const now = Date.now();
    if (now - this.#last < PLAIN_MS) return;
    this.#last = now;
    this.#stream.write(`${this.#title}${percentOf(done, total)}  ${label}\n`);
  }

  end(): void {}
}

class Bar implements Progress {
  readonly #stream: NodeJS.WriteStream;
  readonly #options: ProgressOptions;
  readonly #begin = Date.now();
  readonly #timer: NodeJS.Timeout;
  #last = Date.now();
  #drawn = false;
  #state: State | undefined;

  constructor(stream: NodeJS.WriteStream, options: ProgressOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#timer = setInterval(() => this.#draw(), TICK_MS).unref();
  }

  update(done: number, total: number, label: string): void {
    this.#state = { done, total, label };
    if (Date.now() - this.#last >= REDRAW_MS) this.#draw();
  }

  end(): void {
    clearInterval(this.#timer);
    if (this.#drawn) this.#stream.write("\r\u001b[2K");
    this.#drawn = false;
  }

  #draw(): void {
    const { title, beforehand } = this.#options;
    if (!this.#state && beforehand === undefined) return;
    this.#last = Date.now();
    const seconds = Math.floor((this.#last - this.#begin) / 1000);
    const columns = this.#stream.columns || 80;
    const text = this.#state
      ? `${title} ${bar(this.#state, columns)}${percentOf(this.#state.done, this.#state.total)}  ${seconds} s  ${this.#state.label}`
      : `${title}: ${beforehand}, ${seconds} s`;
    this.#drawn = true;
    // A line that wraps could not be wiped.
    this.#stream.write(`\r\u001b[2K${fit(text, columns - 1)}`);
  }
}

function bar({ done, total }: State, columns: number): string {
  const width = columns < WIDE ? BAR.narrow : BAR.wide;
  const full = Math.round(shareOf(done, total) * width);
  return `${"█".repeat(full)}${"░".repeat(width - full)}`;
}

function percentOf(done: number, total: number): string {
  return `${Math.floor(shareOf(done, total) * 100)}%`.padStart(4);
}

function shareOf(done: number, total: number): number {
  return total > 0 ? Math.min(1, done / total) : 1;
}
