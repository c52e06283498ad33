/** A reader of server-sent events, as simple as the format. */
import type { HttpServer } from "./mcp.ts";

export interface SentEvent {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

export class EventReader {
  readonly events: SentEvent[] = [];
  readonly status: number;
  comments = 0;
  readonly #ending = new AbortController();
  #waiting: { count: number; resolve: () => void; reject: (error: Error) => void }[] = [];

  private constructor(status: number) {
    this.status = status;
  }

  static async open(server: HttpServer, query = "", headers: Record<string, string> = {}): Promise<EventReader> {
    const ending = new AbortController();
    const response = await fetch(server.url.replace("/mcp", `/events${query}`), {
      headers: { Authorization: `Bearer ${server.token}`, ...headers },
      signal: ending.signal,
    });
    const reader = new EventReader(response.status);
    reader.#ending.signal.addEventListener("abort", () => ending.abort());
    if (response.status === 200) void reader.#read(response).catch(() => {});
    else await response.body?.cancel();
    return reader;
  }

  get ids(): string[] {
    return this.events.map(({ data }) => String(data.id));
  }

  /** Resolves when this many events have come. Fails if the server ends first. */
  came(count: number): Promise<void> {
    if (this.events.length >= count) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiting.push({ count, resolve, reject }));
  }

  close(): void {
    this.#ending.abort();
  }

  async #read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    let text = "";
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        const blocks = text.split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) this.#take(block);
      }
    } finally {
      for (const { reject } of this.#waiting) reject(new Error(`the stream ended after ${this.events.length} events`));
    }
  }

  #take(block: string): void {
    const fields = new Map(
      block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
    );
    if (fields.has("")) this.comments += 1;
    const data = fields.get("data");
    if (data === undefined) return;
    this.events.push({
      id: fields.get("id") ?? "",
      event: fields.get("event") ?? "",
      data: JSON.parse(data) as Record<string, unknown>,
    });
    for (const each of this.#waiting) if (this.events.length >= each.count) each.resolve();
    this.#waiting = this.#waiting.filter(({ count }) => this.events.length < count);
  }
}
