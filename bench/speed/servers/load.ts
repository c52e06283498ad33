/** Many clients of one HTTP server, each with a connection of its own. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const HEAD_END = "\r\n\r\n";

export interface Target {
  port: number;
  token: string;
}

export interface Call {
  name: string;
  input: object;
}

export interface Load {
  clients: number;
  seconds: number;
  /** Milliseconds between two calls of a client, on average; uniform between half and one and a half of it. */
  think: number;
}

export interface Measured {
  /** Milliseconds of each call that was answered. */
  latencies: number[];
  errors: number;
}

export async function load(
  target: Target,
  calls: readonly Call[],
  { clients, seconds, think }: Load,
): Promise<Measured> {
  const measured: Measured = { latencies: [], errors: 0 };
  const end = performance.now() + seconds * 1000;
  const client = async (first: number): Promise<void> => {
    const connection = new Client(target);
    await sleep(Math.random() * think);
    for (let next = first; performance.now() < end; next += 1) {
      const begin = performance.now();
      const answered = await connection.post(calls[next % calls.length] as Call);
      if (answered) measured.latencies.push(performance.now() - begin);
      else measured.errors += 1;
      if (think > 0) await sleep(think * (0.5 + Math.random()));
    }
    connection.close();
  };
  // Each begins with another call, as far as there are enough: a server answers equal calls together.
  await Promise.all(Array.from({ length: clients }, (_, i) => client(i)));
  return measured;
}

/**
 * One client, with one connection. It speaks just enough HTTP for the server's answers: Node's own client took a sixth of
 * the processor time of the whole measurement, on the cores that the server runs on.
 */
class Client {
  readonly #socket: Socket;
  readonly #target: Target;
  #received: Buffer[] = [];
  #answered: (result: boolean) => void = () => {};

  constructor(target: Target) {
    this.#target = target;
    this.#socket = connect({ host: "127.0.0.1", port: target.port, noDelay: true });
    this.#socket.on("data", (part) => this.#take(part));
    this.#socket.on("error", () => this.#answered(false));
    this.#socket.on("close", () => this.#answered(false));
  }

  /** Whether the call returned a result that is not an error. */
  post({ name, input }: Call): Promise<boolean> {
    const { port, token } = this.#target;
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } });
    const head = [
      "POST /mcp HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      "Accept: application/json, text/event-stream",
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    return new Promise((resolve) => {
      this.#answered = resolve;
      if (this.#socket.destroyed) resolve(false);
      else this.#socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(part: Buffer): void {
    this.#received.push(part);
    const bytes = this.#received.length === 1 ? part : Buffer.concat(this.#received);
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) return;
    const head = bytes.toString("latin1", 0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
    const body = bytes.subarray(end + HEAD_END.length);
    // Without a length it would have to be read in chunks, which no answer to a single call needs.
    if (Number.isNaN(length)) this.#socket.destroy();
    if (body.length < length) return;
    this.#received = [];
    this.#answered(
      head.startsWith("HTTP/1.1 200 ") && body.includes('"content":[') && !body.includes('"isError":true'),
    );
  }
}
