/** A receiver of webhooks: records the requests, and gives the configured answer. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serving } from "../program/running.ts";

export interface Received {
  id: string;
  attempt: number;
  headers: IncomingMessage["headers"];
  body: string;
}

type Answer = (response: ServerResponse, received: Received) => void;

export const answering =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).end();
  };

/** Accepts the request and never answers. */
export const silent: Answer = () => {};

export class Receiver {
  readonly received: Received[] = [];
  readonly url: string;
  answer: Answer = answering(204);
  readonly #server: Server;
  #waiting: { count: number; resolve: () => void }[] = [];

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  }

  static async start(port = 0): Promise<Receiver> {
    const server = serving(createServer());
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    const receiver = new Receiver(server);
    server.on("request", (request, response) => receiver.#take(request, response));
    return receiver;
  }

  get ids(): string[] {
    return this.received.map(({ id }) => id);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Resolves when this many have come. */
  came(count: number): Promise<void> {
    if (this.received.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  async end(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      const { headers } = request;
      const received = {
        id: String(headers["x-dex-delivery"]),
        attempt: Number(headers["x-dex-attempt"]),
        headers,
        body,
      };
      this.received.push(received);
      this.answer(response, received);
      for (const each of this.#waiting) if (this.received.length >= each.count) each.resolve();
      this.#waiting = this.#waiting.filter(({ count }) => this.received.length < count);
    });
  }
}

/** As docs/guide/subscriptions.md describes it for receivers. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const timestamp = String(headers["x-dex-timestamp"]);
  const expected = `sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
  const given = String(headers["x-dex-signature"]);
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
