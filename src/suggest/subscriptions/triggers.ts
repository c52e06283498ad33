/**
 * Makes a suggestion for each subscription that a change matches, and writes it, its delivery and its time in one
 * transaction. The deliverer sends it later: if this process ends, a written delivery is still sent, and an unwritten
 * one never existed.
 */
import { join } from "node:path";
import { Dex, type DexOptions } from "../../dex.ts";
import { insidePath, projectKey, repositoryOrFolder } from "../../history/repository.ts";
import { newId } from "../../kernel/ids.ts";
import { OwnedCaches } from "../../kernel/owned_caches.ts";
import type { StateStore } from "../../store/state/state.ts";
import type { Subscription } from "../../store/state/subscriptions.ts";
import type { Activity, ChangeBatch } from "../model.ts";
import { type Suggested, suggestFor } from "../suggest.ts";
import { failingFiles, promptsSince } from "./activity.ts";
import { SymbolMemory } from "./changed_symbols.ts";
import { cooldownLeft, wasDelivered } from "./cooldown.ts";
import { type ChangeEvent, type Match, matchPatterns } from "./match.ts";
import { payloadOf, rowOf } from "./payload.ts";
import { PendingMatches } from "./pending_matches.ts";
import { symbolTest } from "./symbols.ts";
import { Topics } from "./topics.ts";
import { byEntity, entitiesOf, MAX_FOCUS_FILES, readBeginning, symbolPatterns, triggerOf } from "./trigger_parts.ts";

export interface TriggerOptions {
  /** The folder of the watched project. */
  folder: string;
  /** Dex is reopened for each batch, because other processes write its indexes and settings. */
  open?: DexOptions;
  /** Called after a delivery was written. */
  wake?(): void;
  report?(error: unknown): void;
  /** Monotonic clock, ms. */
  monotonic?(): number;
}

/** More items are requested than wanted, to replace those already delivered. */
const MAX_REQUESTED = 50;
/** Longer timers are cut to this. */
const MAX_TIMER_MS = 24 * 3_600_000;

export class Triggers {
  readonly #options: TriggerOptions;
  readonly #projectId: string;
  readonly #root: string;
  /** Shared by the tasks, each of which opens the home again. */
  readonly #caches = new OwnedCaches();
  readonly #pending = new PendingMatches();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** By subscription: the time to re-check one that produced no suggestions (monotonic ms). */
  readonly #recheckAt = new Map<string, number>();
  readonly #symbols: SymbolMemory;
  #topics: Topics | undefined;
  #refreshed = false;
  /** When it was started: earlier prompts are ignored. */
  #since = 0;
  /** By conversation: the index of the last prompt seen. */
  readonly #lastPrompts = new Map<string, number>();
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;

  private constructor(options: TriggerOptions) {
    this.#options = options;
    const repository = repositoryOrFolder(options.folder);
    this.#projectId = projectKey(repository);
    this.#root = repository.root;
    this.#symbols = new SymbolMemory(repository.root);
  }

  /** Call it before the first change: later symbols are compared with the state at the start. */
  static async start(options: TriggerOptions): Promise<Triggers> {
    const triggers = new Triggers(options);
    await triggers.#enqueue(async (dex) => {
      triggers.#since = dex.now();
      triggers.#symbols.remember(dex.paths.code, triggers.#subscriptions(dex).flatMap(symbolPatterns));
      return 0;
    });
    return triggers;
  }

  /** Call it after the changed code was indexed. Resolves with the number of deliveries written. */
  take(batch: ChangeBatch): Promise<number> {
    return this.#enqueue((dex) => this.#batch(dex, batch));
  }

  /** Handles a live activity, such as a prompt or an opened file. */
  focus(activity: Activity): Promise<number> {
    return this.#enqueue((dex) => {
      const { symbol, prompt } = activity;
      const repository = repositoryOrFolder(this.#root);
      const file = activity.file === undefined ? undefined : insidePath(repository, activity.file, activity.folder);
      const event: ChangeEvent = {
        files: file === undefined ? [] : [file],
        symbols: () => (symbol === undefined ? [] : [{ name: symbol, qualified: symbol, file: file ?? "" }]),
        textOf: (path) => this.#textOf(path),
        ...(prompt === undefined ? {} : { prompt }),
      };
      return this.#each(dex, event, activity, false);
    });
  }

  /** Pending matches are dropped. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await this.#queue.catch(() => {});
    this.#topics?.close();
    this.#caches.close();
  }

  /** Runs one task at a time. */
  #enqueue(work: (dex: Dex) => Promise<number>): Promise<number> {
    const result = this.#queue.then(async () => {
      const dex = await Dex.open({ cwd: this.#root, caches: this.#caches, ...this.#options.open });
      try {
        return await work(dex);
      } finally {
        dex.close();
      }
    });
    this.#queue = result.catch(() => {});
    return result;
  }

  async #batch(dex: Dex, batch: ChangeBatch): Promise<number> {
    const subscriptions = this.#subscriptions(dex);
    if (subscriptions.length === 0) return 0;
    const tests = subscriptions.flatMap(symbolPatterns).map(symbolTest);
    let symbols: ReturnType<ChangeEvent["symbols"]> | undefined;
    const failing = batch.tests ? failingFiles(dex, this.#root) : [];
    const event: ChangeEvent = {
      files: [...new Set([...batch.changed, ...batch.removed, ...failing])],
      symbols: () => (symbols ??= this.#symbols.changed(dex.paths.code, batch, tests)),
      textOf: (path) => this.#textOf(path),
    };
    let written = 0;
    const about = { folder: this.#root, recent: [] };
    if (event.files.length > 0) written += await this.#each(dex, event, about, batch.head);
    if (!batch.conversations) return written;
    this.#since = Math.min(this.#since, dex.now());
    for (const { text, session, index } of promptsSince(dex, this.#root, this.#since)) {
      if ((this.#lastPrompts.get(session) ?? -1) >= index) continue;
      this.#lastPrompts.set(session, index);
      const asked = { files: [], symbols: () => [], textOf: () => undefined, prompt: text };
      written += await this.#each(dex, asked, { ...about, prompt: text, session }, false);
    }
    return written;
  }

  async #each(dex: Dex, event: ChangeEvent, activity: Activity, fresh: boolean): Promise<number> {
    const subscriptions = this.#subscriptions(dex);
    if (subscriptions.length === 0 || this.#closed) return 0;
    const topics = await this.#aboutTopics(subscriptions);
    let written = 0;
    for (const subscription of subscriptions) {
      const matches = matchPatterns(subscription.watchPatterns, event, topics);
      if (matches.length === 0 && entitiesOf(subscription).size === 0) continue;
      this.#pending.add(subscription.id, matches.length > 0 ? matches : byEntity(subscription, event));
      written += await this.#consider(dex, subscription, activity, fresh);
    }
    return written;
  }

  async #aboutTopics(subscriptions: readonly Subscription[]): Promise<(text: string, topic: string) => boolean> {
    const watched = subscriptions.some(({ watchPatterns }) => watchPatterns.some(({ type }) => type === "topic"));
    if (watched) this.#topics ??= await Topics.open();
    return (text, topic) => this.#topics?.isAbout(text, topic) ?? false;
  }

  /** Triggers the subscription now, or when its cooldown is over. */
  async #consider(dex: Dex, subscription: Subscription, activity: Activity, fresh: boolean): Promise<number> {
    const untilRecheck = (this.#recheckAt.get(subscription.id) ?? Number.NEGATIVE_INFINITY) - this.#monotonic();
    const delay = Math.max(cooldownLeft(subscription, dex.now()), untilRecheck);
    if (delay > 0) {
      this.#schedule(subscription.id, delay, activity);
      return 0;
    }
    const matches = this.#pending.take(subscription.id);
    if (matches.length === 0) return 0;
    this.#recheckAt.set(subscription.id, this.#monotonic() + subscription.cooldownMs);
    const suggested = await this.#suggest(dex, subscription, matches, activity, fresh);
    if (suggested.suggestions.length === 0) return 0;
    const result = dex.withState((state) => this.#write(state, dex.now(), subscription, { suggested, matches }));
    if (result === "written") this.#options.wake?.();
    if (result === "overtaken") {
      this.#pending.add(subscription.id, matches);
      this.#schedule(subscription.id, subscription.cooldownMs, activity);
    }
    return result === "written" ? 1 : 0;
  }

  #schedule(id: string, delay: number, activity: Activity): void {
    if (this.#timers.has(id) || this.#closed) return;
    const again = (): void => {
      this.#timers.delete(id);
      this.#enqueue(async (dex) => {
        const subscription = this.#subscriptions(dex).find((each) => each.id === id);
        return subscription && !this.#closed ? this.#consider(dex, subscription, activity, false) : 0;
      }).catch((error) => this.#options.report?.(error));
    };
    this.#timers.set(id, setTimeout(again, Math.min(delay, MAX_TIMER_MS)).unref());
  }

  async #suggest(
    dex: Dex,
    subscription: Subscription,
    matches: readonly Match[],
    activity: Activity,
    fresh: boolean,
  ): Promise<Suggested> {
    const { id, minRelevanceScore, maxSuggestionsPerTrigger: most, itemCooldownMs, sessionId } = subscription;
    const delivered = dex.withState((state) => state.subscriptions.sentItems(id));
    const [first] = matches;
    const files = [...new Set(matches.flatMap(({ file }) => file ?? []))];
    const suggested = await suggestFor(
      dex,
      {
        ...activity,
        ...(files[0] === undefined ? {} : { file: join(this.#root, files[0]) }),
        ...(first?.symbol === undefined ? {} : { symbol: first.symbol }),
        recent: [...files.slice(1, MAX_FOCUS_FILES).map((file) => join(this.#root, file)), ...activity.recent],
        ...(sessionId === "" ? {} : { session: sessionId }),
      },
      triggerOf(first),
      {
        minRelevanceScore,
        maxSuggestions: Math.min(MAX_REQUESTED, most + delivered.size),
        record: false,
        // The watcher refreshes the indexes; other data is refreshed here, once and after a new commit.
        stale: this.#refreshed && !fresh,
        surface: "subscription",
      },
    );
    this.#refreshed = true;
    const entities = entitiesOf(subscription);
    const onlyEntities = matches.every(({ pattern }) => pattern.type === "entity" && entities.has(pattern.pattern));
    const items = suggested.suggestions
      .filter((item) => !wasDelivered(item, delivered, itemCooldownMs, dex.now()))
      .filter(({ entityId }) => !onlyEntities || entities.has(entityId))
      .slice(0, most);
    return { ...suggested, suggestions: items };
  }

  /** "overtaken": another process triggered the subscription in the meantime. */
  #write(
    state: StateStore,
    now: number,
    before: Subscription,
    { suggested, matches }: { suggested: Suggested; matches: readonly Match[] },
  ): "written" | "overtaken" | "gone" {
    return state.transaction(() => {
      const subscription = state.subscriptions.get(before.id);
      if (!subscription?.enabled) return "gone";
      if (subscription.lastTriggeredAt !== before.lastTriggeredAt) return "overtaken";
      const id = newId("dlv");
      const body = JSON.stringify(payloadOf(id, subscription, suggested, matches));
      state.suggestions.put(rowOf(suggested));
      state.deliveries.add(subscription, { id, suggestionId: suggested.id, body }, now);
      const items = suggested.suggestions.map(({ entityId, time }) => ({ entityId, itemTime: time }));
      state.subscriptions.recordSent(subscription.id, items, now);
      state.subscriptions.triggered(subscription.id, now);
      return "written";
    });
  }

  #monotonic(): number {
    return this.#options.monotonic?.() ?? performance.now();
  }

  #subscriptions(dex: Dex): Subscription[] {
    if (!dex.hasState) return [];
    return dex.withState((state) => {
      state.subscriptions.clampFutureTimes(dex.now());
      return state.subscriptions.all().filter(({ enabled, projectId }) => enabled && projectId === this.#projectId);
    });
  }

  #textOf(path: string): string | undefined {
    const beginning = readBeginning(join(this.#root, path));
    return beginning === undefined ? undefined : `${path.split(/[/._-]+/).join(" ")}\n${beginning}`;
  }
}
