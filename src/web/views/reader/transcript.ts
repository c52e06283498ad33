/**
 * The messages of one conversation, loaded in pages as they are needed and dropped when they are far away, so that the size
 * of a conversation does not matter. Everything that is shown depends on `version`.
 */
import { signal } from "@preact/signals";
import type { OperationOutput } from "../../../operations/by_name.ts";
import { ApiError, call, isAbort } from "../../api.ts";

export type Page = OperationOutput<"messages">;
export type Message = Page["messages"][number];
export type Part = Message["parts"][number];
export type Head = Omit<Page, "messages" | "from">;

export const PAGE_SIZE = 200;
const MAX_PAGES = 10;

export class Transcript {
  readonly id: string;
  readonly head = signal<Head | undefined>(undefined);
  readonly error = signal<unknown>(undefined);
  /** Raised when messages arrive. */
  readonly version = signal(0);
  /** By the number of the page; the page used last is at the end. */
  readonly #pages = new Map<number, readonly Message[]>();
  readonly #loading = new Map<number, AbortController>();

  constructor(id: string) {
    this.id = id;
  }

  get count(): number {
    return this.head.value?.message_count ?? 0;
  }

  get #lastPage(): number {
    return Math.max(0, Math.floor((this.count - 1) / PAGE_SIZE));
  }

  message(index: number): Message | undefined {
    return this.#pages.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE];
  }

  /** Those that need no request, in their order. */
  get loaded(): Message[] {
    return [...this.#pages].sort(([a], [b]) => a - b).flatMap(([, messages]) => messages);
  }

  /** Loads the pages of these messages, and gives up loading others. */
  need(first: number, last: number): void {
    const wanted = new Set<number>();
    for (let page = Math.floor(Math.max(0, first) / PAGE_SIZE); page * PAGE_SIZE <= last; page++) wanted.add(page);
    for (const [page, controller] of this.#loading) if (!wanted.has(page)) controller.abort();
    for (const page of wanted) {
      const known = this.#pages.get(page);
      if (known) {
        this.#pages.delete(page);
        this.#pages.set(page, known);
      } else if (!this.#loading.has(page)) void this.#load(page);
    }
  }

  /** Loads the pages of these messages and waits for them. */
  async load(first: number, last: number): Promise<void> {
    const pages: Promise<void>[] = [];
    for (let page = Math.floor(Math.max(0, first) / PAGE_SIZE); page * PAGE_SIZE <= last; page++) {
      if (!this.#pages.has(page)) pages.push(this.#load(page));
    }
    await Promise.all(pages);
  }

  /** The conversation has grown, or may have: loads its last page again. */
  async refresh(): Promise<void> {
    // The first page is on its way.
    if (!this.head.peek() && this.#loading.size > 0) return;
    await this.#load(this.#lastPage);
    // The new messages may not all fit on the page that was the last one.
    const page = this.#lastPage;
    if (this.count > 0 && !this.#pages.has(page)) await this.#load(page);
  }

  close(): void {
    for (const controller of this.#loading.values()) controller.abort();
  }

  async #load(page: number): Promise<void> {
    const controller = new AbortController();
    this.#loading.get(page)?.abort();
    this.#loading.set(page, controller);
    try {
      const {
        messages,
        from: _,
        ...head
      } = await call(
        "messages",
        { id: this.id, from: page * PAGE_SIZE, count: PAGE_SIZE },
        // Events announce new messages, so no page waits for a sync.
        { signal: controller.signal, draft: true },
      );
      this.#pages.delete(page);
      this.#pages.set(page, messages);
      this.#drop();
      this.head.value = head;
      this.error.value = undefined;
      this.version.value += 1;
    } catch (error) {
      if (isAbort(error)) return;
      if (error instanceof ApiError && error.code === "unknown_id") this.#forget();
      this.error.value = error;
    } finally {
      if (this.#loading.get(page) === controller) this.#loading.delete(page);
    }
  }

  /** The conversation is gone: nothing of it stays on the page. */
  #forget(): void {
    this.#pages.clear();
    this.head.value = undefined;
    this.version.value += 1;
  }

  #drop(): void {
    for (const page of this.#pages.keys()) {
      if (this.#pages.size <= MAX_PAGES) return;
      this.#pages.delete(page);
    }
  }
}
