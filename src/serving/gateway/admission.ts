/**
 * Prevents strangers from filling the memory: the gateway reads a body only after the server has recognised the token.
 * The gateway caches this for a short while, which is safe because every statement checks the token again.
 */
import type { ConnectionPool } from "./pool.ts";
import { Busy, Slots } from "./slots.ts";

const KNOWN_MS = 30_000;
const MAX_KNOWN = 20_000;
/** The calls of one device that may run at once, and wait. */
const DEVICE_CALLS = 4;
const DEVICE_WAITING = 32;
/** The unknown tokens that may be looked up at once, and wait. */
const LOOKUPS = 2;
const LOOKUPS_WAITING = 64;
const MAX_WAIT_MS = 10_000;
/** The most bytes of all bodies and answers in memory. */
const MAX_HELD_BYTES = 1 << 30;

export class Admission {
  readonly #pool: ConnectionPool;
  /** When a token was last accepted, by its hash; the longest unused first. */
  readonly #known = new Map<string, number>();
  readonly #devices = new Map<string, { slots: Slots; users: number }>();
  readonly #lookups = new Slots(LOOKUPS, LOOKUPS_WAITING, MAX_WAIT_MS);
  #held = 0;

  constructor(pool: ConnectionPool) {
    this.#pool = pool;
  }

  /** Throws an error of the server if it does not know the token. */
  async admit(token: Uint8Array, key: string): Promise<void> {
    const known = this.#known.get(key);
    if (known !== undefined && Date.now() - known < KNOWN_MS) return;
    this.#known.delete(key);
    await this.#lookups.use(() => this.#pool.call({ token, isJoining: true }, "hello", [], () => true));
    this.accepted(key);
  }

  accepted(key: string): void {
    this.#known.delete(key);
    this.#known.set(key, Date.now());
    if (this.#known.size <= MAX_KNOWN) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }

  refused(key: string): void {
    this.#known.delete(key);
  }

  /** Runs one of the calls that the device may have at once. */
  async asDevice<T>(key: string, work: () => Promise<T>): Promise<T> {
    const device = this.#devices.get(key) ?? { slots: new Slots(DEVICE_CALLS, DEVICE_WAITING, MAX_WAIT_MS), users: 0 };
    this.#devices.set(key, device);
    device.users += 1;
    try {
      return await device.slots.use(work);
    } finally {
      device.users -= 1;
      if (device.users === 0) this.#devices.delete(key);
    }
  }

  /** Counts bytes that are kept in memory; the caller releases them. */
  hold(bytes: number): void {
    if (this.#held + bytes > MAX_HELD_BYTES) throw new Busy();
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}
