/**
 * One request at a time, in the order they came, and between two of them a look at the network. Without it all requests
 * that are waiting are answered in one turn of the event loop; and since a turn accepts one new connection, a client
 * that comes while others keep the server busy would wait for as many such turns as came before it.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #going = false;

  /** Resolves when it is the caller's turn. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#going) return;
      this.#going = true;
      setImmediate(() => this.#go());
    });
  }

  #go(): void {
    this.#waiting.shift()?.();
    this.#going = this.#waiting.length > 0;
    if (this.#going) setImmediate(() => this.#go());
  }
}
