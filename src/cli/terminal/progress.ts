/** Progress on standard error: a bar on a terminal, plain lines at intervals elsewhere. */
import { fit } from "../../rendering/terminal/width.ts";
import type { Output } from "./standard_streams.ts";

export interface Progress {
  update(done: number, total: number, label: string): void;
  end(): void;
}

export interface ProgressOptions {
  title: string;
  /** Shown on a terminal until the first update. */
  waitingText?: string;
}

const WIDE_COLUMNS = 90;
const BAR_COLUMNS = { wide: 24, narrow: 10 };
const MIN_REDRAW_INTERVAL_MS = 80;
const LINE_INTERVAL_MS = 2000;
/** The bar is redrawn even without an update, so that its seconds advance. */
const TICK_INTERVAL_MS = 500;

interface State {
  done: number;
  total: number;
  label: string;
}

export function startProgress(stream: Output, options: ProgressOptions): Progress {
  return stream.isTTY === true ? new Bar(stream, options) : new Lines(stream, options.title);
}

class Lines implements Progress {
  readonly #stream: Output;
  readonly #title: string;
  #last = Date.now();

  constructor(stream: Output, title: string) {
    this.#stream = stream;
    this.#title = title;
  }

  update(done: number, total: number, label: string): void {
    const now = Date.now();
    if (now - this.#last < LINE_INTERVAL_MS) return;
    this.#last = now;
    this.#stream.write(`${this.#title} ${percentOf(done, total)}  ${label}\n`);
  }

  end(): void {}
}

class Bar implements Progress {
  readonly #stream: Output;
  readonly #options: ProgressOptions;
  readonly #begin = Date.now();
  readonly #timer: NodeJS.Timeout;
  #last = Date.now();
  #drawn = false;
  #state: State | undefined;

  constructor(stream: Output, options: ProgressOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#timer = setInterval(() => this.#draw(), TICK_INTERVAL_MS).unref();
  }

  update(done: number, total: number, label: string): void {
    this.#state = { done, total, label };
    if (Date.now() - this.#last >= MIN_REDRAW_INTERVAL_MS) this.#draw();
  }

  end(): void {
    clearInterval(this.#timer);
    if (this.#drawn) this.#stream.write("\r\u001b[2K");
    this.#drawn = false;
  }

  #draw(): void {
    const { title, waitingText } = this.#options;
    if (!this.#state && waitingText === undefined) return;
    this.#last = Date.now();
    const seconds = Math.floor((this.#last - this.#begin) / 1000);
    const columns = this.#stream.columns || 80;
    const text = this.#state
      ? `${title} ${bar(this.#state, columns)} ${percentOf(this.#state.done, this.#state.total)}  ${seconds} s  ${this.#state.label}`
      : `${title}: ${waitingText}, ${seconds} s`;
    this.#drawn = true;
    // A wrapped line could not be cleared.
    this.#stream.write(`\r\u001b[2K${fit(text, columns - 1)}`);
  }
}

function bar({ done, total }: State, columns: number): string {
  const width = columns < WIDE_COLUMNS ? BAR_COLUMNS.narrow : BAR_COLUMNS.wide;
  const full = Math.round(shareOf(done, total) * width);
  return `${"█".repeat(full)}${"░".repeat(width - full)}`;
}

function percentOf(done: number, total: number): string {
  return `${Math.floor(shareOf(done, total) * 100)}%`.padStart(3);
}

function shareOf(done: number, total: number): number {
  return total > 0 ? Math.min(1, done / total) : 1;
}
