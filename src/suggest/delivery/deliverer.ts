/**
 * Sends what is due, while the process that holds it runs. A few at a time, and one a receiver, so that a slow one holds
 * back nobody else. A delivery is done when its receiver said so and not before: whatever ends this process in between,
 * the next one sends it again, under the same id.
 */
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { errorMessage, systemCode } from "../../kernel/errors.ts";
import { StateStore } from "../../store/sqlite/state/state.ts";
import type { Delivery } from "../../store/subscriptions.ts";
import { pauseAfter } from "./patience.ts";
import { type SendOptions, sendWebhook, TIMEOUT_MS } from "./webhook.ts";

const AT_ONCE = 16;
/** A receiver, by its host and port, gets so many at the same time: subscriptions may share one. */
const AT_ONCE_TO_ONE = 2;
/** Longer than an attempt can take. */
const LEASE_MS = 3 * TIMEOUT_MS;
/** How often another process' work is looked for. */
const LOOK_MS = 1000;
/** After a failure the others for the same subscription wait a little, too: most likely they fail for the same reason. */
const LONGEST_REST_MS = 30_000;
/** At the end, receivers have so long to answer. */
const GRACE_MS = 500;

export interface DelivererOptions {
  /** state.db */
  path: string;
  now(): number;
  allowHosts(): Promise<readonly string[]>;
  report?(error: unknown): void;
  send?: Pick<SendOptions, "resolve" | "timeoutMs">;
  /** The clock that nobody sets, in milliseconds. */
  monotonic?(): number;
}

export interface Sent {
  delivered: number;
  /** Tried, and to be tried again. */
  failed: number;
  dead: number;
}

interface Going {
  subscriptionId: string;
  receiver: string;
}

let instances = 0;

export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #name: string;
  readonly #going = new Map<string, Going>();
  /** Until when a subscription is left alone, by the clock that nobody sets. */
  readonly #resting = new Map<string, number>();
  readonly #end = new AbortController();
  #closed = false;
  readonly #sent: Sent = { delivered: 0, failed: 0, dead: 0 };
  #state: StateStore | undefined;
  #version = -1;
  /** That the file cannot be opened is said once, not every second. */
  #reported = false;
  #timer: NodeJS.Timeout | undefined;
  #settled: (() => void)[] = [];
  #turning: Promise<void> | undefined;
  #again = false;

  constructor(options: DelivererOptions) {
    this.#options = options;
    instances += 1;
    this.#name = `${hostname()}:${process.pid}:${instances}`;
  }

  /** Goes on until `close`. */
  start(): void {
    this.#timer = setInterval(() => this.#lookSafely(), LOOK_MS).unref();
    this.wake();
  }

  /** Something was added. */
  wake(): void {
    this.#turn().catch((error) => this.#options.report?.(error));
  }

  /** Tries all that is due now, once. */
  async flush(): Promise<Sent> {
    await this.#turn();
    while (this.#going.size > 0) {
      await new Promise<void>((resolve) => this.#settled.push(resolve));
      await this.#turn();
    }
    return { ...this.#sent };
  }

  /** Receivers that are about to answer are waited for; what is not answered then is left for the next process. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closed = true;
    await this.#turning?.catch(() => {});
    const giveUp = setTimeout(() => this.#end.abort(), GRACE_MS);
    while (this.#going.size > 0) await new Promise<void>((resolve) => this.#settled.push(resolve));
    clearTimeout(giveUp);
    this.#state?.close();
    this.#state = undefined;
  }

  /** What fails once (a full disk) may work the next time. */
  #lookSafely(): void {
    try {
      this.#look();
    } catch (error) {
      this.#options.report?.(error);
    }
  }

  #look(): void {
    const state = this.#open();
    if (!state) return;
    const version = state.version();
    const due = state.deliveries.nextDue(this.#options.now());
    if (version === this.#version && (due === undefined || due > this.#options.now())) return;
    this.#version = version;
    if (due !== undefined) this.wake();
  }

  /** One pass at a time; who asks while it goes gets another one after it. */
  #turn(): Promise<void> {
    this.#again = true;
    this.#turning ??= this.#passes().finally(() => {
      this.#turning = undefined;
    });
    return this.#turning;
  }

  async #passes(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      await this.#pass();
    }
  }

  async #pass(): Promise<void> {
    const state = this.#closed ? undefined : this.#open();
    if (!state) return;
    this.#freeAbandoned(state);
    const due = state.deliveries.due(this.#options.now());
    if (due.length === 0) return;
    const allowHosts = await this.#options.allowHosts();
    for (const delivery of due) this.#begin(state, delivery, allowHosts);
  }

  #begin(state: StateStore, delivery: Delivery, allowHosts: readonly string[]): void {
    const { id, subscriptionId } = delivery;
    if (this.#closed || this.#going.size >= AT_ONCE || this.#isBusy(subscriptionId)) return;
    const url = state.subscriptions.get(subscriptionId)?.callbackUrl ?? "";
    const receiver = URL.canParse(url) ? new URL(url).host : url;
    const others = [...this.#going.values()].filter((going) => going.receiver === receiver);
    if (others.length >= AT_ONCE_TO_ONE) return;
    if (!state.deliveries.lease(id, this.#name, this.#options.now(), LEASE_MS)) return;
    this.#going.set(id, { subscriptionId, receiver });
    this.#send(state, delivery, url, allowHosts)
      .catch((error) => this.#options.report?.(error))
      .finally(() => {
        this.#going.delete(id);
        for (const resolve of this.#settled.splice(0)) resolve();
        this.wake();
      });
  }

  #isBusy(subscriptionId: string): boolean {
    const until = this.#resting.get(subscriptionId);
    if (until !== undefined && until > this.#monotonic()) return true;
    this.#resting.delete(subscriptionId);
    return [...this.#going.values()].some((going) => going.subscriptionId === subscriptionId);
  }

  async #send(state: StateStore, delivery: Delivery, url: string, allowHosts: readonly string[]): Promise<void> {
    const { id, subscriptionId, body } = delivery;
    const attempt = delivery.attempts + 1;
    const secret = state.subscriptions.secret(subscriptionId) ?? "";
    const outcome = await sendWebhook(
      { url, secret, deliveryId: id, subscriptionId, attempt, body },
      { ...this.#options.send, allowHosts, now: this.#options.now, signal: this.#end.signal },
    );
    if (outcome.ok) {
      this.#sent.delivered += 1;
      return state.deliveries.arrived(id);
    }
    if (this.#end.signal.aborted) return state.deliveries.release(id, this.#name);
    const pause = outcome.final ? undefined : pauseAfter(attempt, outcome.retryAfterMs, Math.random());
    const now = this.#options.now();
    state.deliveries.failed(id, outcome.error, now, pause === undefined ? undefined : now + pause);
    this.#resting.set(subscriptionId, this.#monotonic() + Math.min(pause ?? 0, LONGEST_REST_MS));
    this.#sent[pause === undefined ? "dead" : "failed"] += 1;
  }

  #monotonic(): number {
    return this.#options.monotonic?.() ?? performance.now();
  }

  /** A process of this machine that is gone sends nothing any more: its deliveries need not wait for the lease to end. */
  #freeAbandoned(state: StateStore): void {
    for (const { id, by } of state.deliveries.leases()) {
      const [host, pid] = by.split(":");
      if (host === hostname() && !isRunning(Number(pid))) state.deliveries.release(id, by);
    }
  }

  /** Where nobody ever subscribed no file is made. */
  #open(): StateStore | undefined {
    if (this.#state) return this.#state;
    if (!existsSync(this.#options.path)) return undefined;
    try {
      this.#state = new StateStore(this.#options.path);
      this.#reported = false;
    } catch (error) {
      if (!this.#reported) this.#options.report?.(new Error(`deliveries cannot be read: ${errorMessage(error)}`));
      this.#reported = true;
    }
    return this.#state;
  }
}

function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It may be another user's.
    return systemCode(error) === "EPERM";
  }
}
