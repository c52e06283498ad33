/**
 * Sends due webhook deliveries while its process runs. A few at a time, and one per subscription, which keeps a slow
 * receiver from delaying others. A delivery is done only when its receiver has confirmed it: if this process ends in
 * between, the next one sends it again with the same id.
 */
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { errorMessage } from "../../kernel/errors.ts";
import { isRunning } from "../../kernel/programs.ts";
import { openState } from "../../store/engine/state.ts";
import type { StateStore } from "../../store/state/state.ts";
import type { Delivery } from "../../store/state/subscriptions.ts";
import { backoffAfter } from "./backoff.ts";
import { type SendOptions, sendWebhook, TIMEOUT_MS } from "./webhook.ts";

const MAX_CONCURRENT = 16;
/** Per receiver (host and port): several subscriptions may share one. */
const MAX_CONCURRENT_PER_RECEIVER = 2;
/** Longer than an attempt can take. */
const LEASE_MS = 3 * TIMEOUT_MS;
/** How often deliveries of other processes are checked. */
const POLL_MS = 1000;
/** After a failure, other deliveries of the subscription wait too: they would likely fail for the same reason. */
const MAX_REST_MS = 30_000;
/** How long `close` waits for receivers to answer. */
const GRACE_MS = 500;

export interface DelivererOptions {
  /** state.db */
  path: string;
  now(): number;
  allowHosts(): Promise<readonly string[]>;
  report?(error: unknown): void;
  send?: Pick<SendOptions, "resolve" | "timeoutMs">;
  /** Monotonic clock, ms. */
  monotonic?(): number;
}

export interface SendCounts {
  delivered: number;
  /** Tried, and will be retried. */
  failed: number;
  dead: number;
}

interface InFlight {
  subscriptionId: string;
  receiver: string;
}

let instances = 0;

export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #name: string;
  readonly #inFlight = new Map<string, InFlight>();
  /** By subscription: the time before which nothing is sent to it (monotonic ms). */
  readonly #resting = new Map<string, number>();
  readonly #end = new AbortController();
  #closed = false;
  readonly #sent: SendCounts = { delivered: 0, failed: 0, dead: 0 };
  #state: StateStore | undefined;
  #version = -1;
  /** An error on opening is reported once, not every second. */
  #reported = false;
  #timer: NodeJS.Timeout | undefined;
  #settled: (() => void)[] = [];
  #running: Promise<void> | undefined;
  #runAgain = false;

  constructor(options: DelivererOptions) {
    this.#options = options;
    instances += 1;
    this.#name = `${hostname()}:${process.pid}:${instances}`;
  }

  /** Runs until `close`. */
  start(): void {
    this.#timer = setInterval(() => this.#pollSafely(), POLL_MS).unref();
    this.wake();
  }

  /** Call this after adding a delivery. */
  wake(): void {
    this.#run().catch((error) => this.#options.report?.(error));
  }

  /** Tries every due delivery once. */
  async flush(): Promise<SendCounts> {
    await this.#run();
    while (this.#inFlight.size > 0) {
      await new Promise<void>((resolve) => this.#settled.push(resolve));
      await this.#run();
    }
    return { ...this.#sent };
  }

  /** Waits briefly for receivers to answer; unconfirmed deliveries are left for the next process. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closed = true;
    await this.#running?.catch(() => {});
    const giveUp = setTimeout(() => this.#end.abort(), GRACE_MS);
    while (this.#inFlight.size > 0) await new Promise<void>((resolve) => this.#settled.push(resolve));
    clearTimeout(giveUp);
    this.#state?.close();
    this.#state = undefined;
  }

  /** Reports an error and continues: the next poll may succeed, for example when the disk has space again. */
  #pollSafely(): void {
    try {
      this.#poll();
    } catch (error) {
      this.#options.report?.(error);
    }
  }

  #poll(): void {
    const state = this.#open();
    if (!state) return;
    const version = state.version();
    const due = state.deliveries.nextDue(this.#options.now());
    if (version === this.#version && (due === undefined || due > this.#options.now())) return;
    this.#version = version;
    if (due !== undefined) this.wake();
  }

  /** One pass at a time; a call during a pass causes another pass after it. */
  #run(): Promise<void> {
    this.#runAgain = true;
    this.#running ??= this.#passes().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #passes(): Promise<void> {
    while (this.#runAgain) {
      this.#runAgain = false;
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
    if (this.#closed || this.#inFlight.size >= MAX_CONCURRENT || this.#isBusy(subscriptionId)) return;
    const url = state.subscriptions.get(subscriptionId)?.callbackUrl ?? "";
    const receiver = URL.canParse(url) ? new URL(url).host : url;
    const others = [...this.#inFlight.values()].filter((going) => going.receiver === receiver);
    if (others.length >= MAX_CONCURRENT_PER_RECEIVER) return;
    if (!state.deliveries.lease(id, this.#name, this.#options.now(), LEASE_MS)) return;
    this.#inFlight.set(id, { subscriptionId, receiver });
    this.#send(state, delivery, url, allowHosts)
      .catch((error) => this.#options.report?.(error))
      .finally(() => {
        this.#inFlight.delete(id);
        for (const resolve of this.#settled.splice(0)) resolve();
        this.wake();
      });
  }

  #isBusy(subscriptionId: string): boolean {
    const until = this.#resting.get(subscriptionId);
    if (until !== undefined && until > this.#monotonic()) return true;
    this.#resting.delete(subscriptionId);
    return [...this.#inFlight.values()].some((going) => going.subscriptionId === subscriptionId);
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
    const pause = outcome.final ? undefined : backoffAfter(attempt, outcome.retryAfterMs, Math.random());
    const now = this.#options.now();
    state.deliveries.failed(id, outcome.error, now, pause === undefined ? undefined : now + pause);
    this.#resting.set(subscriptionId, this.#monotonic() + Math.min(pause ?? 0, MAX_REST_MS));
    this.#sent[pause === undefined ? "dead" : "failed"] += 1;
  }

  #monotonic(): number {
    return this.#options.monotonic?.() ?? performance.now();
  }

  /** Releases the leases of processes on this machine that have ended, instead of waiting for them to expire. */
  #freeAbandoned(state: StateStore): void {
    for (const { id, by } of state.deliveries.leases()) {
      const [host, pid] = by.split(":");
      if (host === hostname() && !isRunning(Number(pid))) state.deliveries.release(id, by);
    }
  }

  /** Undefined, without creating a file, if nobody ever subscribed. */
  #open(): StateStore | undefined {
    if (this.#state) return this.#state;
    if (!existsSync(this.#options.path)) return undefined;
    try {
      this.#state = openState(this.#options.path);
      this.#reported = false;
    } catch (error) {
      if (!this.#reported) this.#options.report?.(new Error(`Deliveries cannot be read: ${errorMessage(error)}`));
      this.#reported = true;
    }
    return this.#state;
  }
}
