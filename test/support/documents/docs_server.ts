/** A real web server for documentation: pages with validators, redirects, and a record of the requests. */
import { hash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serving } from "../program/running.ts";

export interface Page {
  body?: string | Buffer;
  type?: string;
  status?: number;
  location?: string;
  headers?: Record<string, string>;
  /** Announces more bytes than it sends, then hangs up. */
  torn?: true;
}

export class DocsServer {
  readonly pages = new Map<string, Page>();
  /** `METHOD path status`, in order. */
  readonly asked: string[] = [];
  readonly requests: { path: string; headers: IncomingMessage["headers"] }[] = [];
  /** Called with a request before it is answered. */
  onAsked: ((path: string) => void) | undefined;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(pages: Record<string, Page | string> = {}): Promise<DocsServer> {
    let self: DocsServer | undefined;
    const server = serving(createServer((request, response) => self?.answer(request, response)));
    self = new DocsServer(server);
    for (const [path, page] of Object.entries(pages)) self.set(path, page);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return self;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  set(path: string, page: Page | string): void {
    this.pages.set(path, typeof page === "string" ? { body: page } : page);
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? "";
    this.requests.push({ path, headers: request.headers });
    this.onAsked?.(path);
    const page = this.pages.get(path);
    if (!page) {
      this.#end(path, response, 404, {}, "gone");
      return;
    }
    const { body = "", type = "text/html; charset=utf-8", status = 200, location, headers = {} } = page;
    const etag = `"${hash("sha1", body, "hex")}"`;
    if (status === 200 && request.headers["if-none-match"] === etag) {
      this.#end(path, response, 304, { etag }, "");
      return;
    }
    const all = {
      "content-type": type,
      ...(status === 200 ? { etag } : {}),
      ...(location ? { location } : {}),
      ...headers,
    };
    if (page.torn) {
      this.asked.push(`${path} torn`);
      response.writeHead(200, { ...all, "content-length": String(Buffer.byteLength(body) + 100) });
      response.write(body, () => void response.socket?.destroy());
      return;
    }
    this.#end(path, response, status, all, body);
  }

  #end(
    path: string,
    response: ServerResponse,
    status: number,
    headers: Record<string, string>,
    body: string | Buffer,
  ): void {
    this.asked.push(`${path} ${status}`);
    response.writeHead(status, headers).end(body);
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => void this.#server.close(() => resolve()));
  }
}
