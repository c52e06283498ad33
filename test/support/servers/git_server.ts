/** A real git server over http: git's own http-backend behind a small web server, serving the repositories of a folder. */
import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serving } from "../program/running.ts";

export class GitServer {
  /** Addresses that were asked for, in order. */
  readonly asked: string[] = [];
  /** Bytes that were sent. */
  bytes = 0;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(folder: string): Promise<GitServer> {
    let self: GitServer | undefined;
    const server = serving(createServer((request, response) => self?.answer(folder, request, response)));
    self = new GitServer(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return self;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  answer(folder: string, request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", "http://localhost");
    this.asked.push(url.pathname);
    const child = spawn("git", ["http-backend"], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: "1",
        REQUEST_METHOD: request.method,
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        CONTENT_TYPE: request.headers["content-type"] ?? "",
        HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
        GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      },
      stdio: ["pipe", "pipe", "ignore"],
    });
    request.pipe(child.stdin);
    const parts: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => void parts.push(part));
    child.on("close", () => {
      const whole = Buffer.concat(parts);
      const end = whole.indexOf("\r\n\r\n");
      const headers = Object.fromEntries(
        whole
          .subarray(0, Math.max(0, end))
          .toString("latin1")
          .split("\r\n")
          .map((line) => line.split(": ") as [string, string]),
      );
      this.bytes += whole.length;
      const { Status = "200 OK", ...rest } = headers;
      response.writeHead(Number(Status.split(" ")[0]), rest).end(whole.subarray(end + 4));
    });
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => void this.#server.close(() => resolve()));
  }
}
