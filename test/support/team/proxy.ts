/** A proxy of a test's own between a client and a server on this machine, which cuts connections or stops passing bytes. */
import { connect, createServer, type Socket } from "node:net";

export class TestProxy {
  port = 0;
  /** Bytes towards the server before a connection is cut. */
  cutAfter: number = Number.POSITIVE_INFINITY;
  /** Called with the bytes that clients have sent since `watch`. */
  #onBytes: ((sent: number) => void) | undefined;
  #sent = 0;
  #isStalled = false;
  readonly #sockets = new Set<Socket>();
  readonly #listener;

  private constructor(target: number) {
    this.#listener = createServer((client) => {
      const upstream = connect(target, "127.0.0.1");
      let sent = 0;
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket);
        socket.on("error", () => {});
      }
      client.on("data", (chunk: Buffer) => {
        sent += chunk.length;
        this.#sent += chunk.length;
        this.#onBytes?.(this.#sent);
        if (sent > this.cutAfter) {
          client.destroy();
          upstream.destroy();
        } else if (!this.#isStalled) upstream.write(chunk);
      });
      upstream.on("data", (chunk: Buffer) => {
        if (!this.#isStalled) client.write(chunk);
      });
      client.on("close", () => upstream.destroy());
      upstream.on("close", () => client.destroy());
    });
  }

  static async to(target: number): Promise<TestProxy> {
    const proxy = new TestProxy(target);
    await new Promise<void>((ready) => proxy.#listener.listen(0, "127.0.0.1", ready));
    const address = proxy.#listener.address();
    proxy.port = typeof address === "object" && address ? address.port : 0;
    return proxy;
  }

  /** Calls `act` once, when clients have sent more than so many bytes from now on. Returns those that were sent so far. */
  watch(after: number, act: () => void): () => number {
    this.#sent = 0;
    this.#isStalled = false;
    this.#onBytes = (sent) => {
      if (sent <= after) return;
      this.#onBytes = undefined;
      act();
    };
    return () => this.#sent;
  }

  /** From now on nothing passes, in either direction, until `watch` or `cut`. */
  stall(): void {
    this.#isStalled = true;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    this.#isStalled = false;
  }

  close(): void {
    this.cut();
    this.#listener.close();
  }
}
