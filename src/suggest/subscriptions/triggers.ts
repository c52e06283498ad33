/**
 * From what changed to what is told: for each subscription that a change matches, a suggestion is made; it, its delivery
 * and the time of it are written in one transaction. Sending is another matter: whatever ends this process, what was
 * written is sent once, and what was not written was never promised.
 */

import { join } from "node:path";
import { Dex, type DexOptions } from "../../dex.ts";
import { findProject, insidePath } from "../../history/repository.ts";
import { newId } from "../../kernel/ids.ts";
import { OwnedCaches } from "../../kernel/owned_caches.ts";
import type { StateStore } from "../../store/state.ts";
import type { Subscription } from "../../store/subscriptions.ts";
import type { Activity, ChangeBatch } from "../model.ts";
import { type Suggested, suggestFor } from "../suggest.ts";
import { failingFiles, promptsSince } from "./activity.ts";
import { SymbolMemory } from "./changed_symbols.ts";
import { restOf, wasTold } from "./cooldown.ts";
import { Held } from "./held.ts";
import { type Happening, type Match, matchPatterns } from "./match.ts";
import { payloadOf, rowOf } from "./payload.ts";
import { symbolTest } from "./symbols.ts";
import { Topics } from "./topics.ts";
import { byEntity, entitiesOf, MOST_NAMED, readBeginning, symbolPatterns, triggerOf } from "./trigger_parts.ts";

export interface TriggerOptions {
  /** Of the project that is watched. */
  folder: string;
  /** How dex is opened: for each batch anew, because others write its indexes and settings meanwhile. */
  open?: DexOptions;
  /** Something is to be sent. */
  wake?(): void;
  report?(error: unknown): void;
  /** The clock that nobody sets, in milliseconds. */
  monotonic?(): number;
}

/** Items asked for beyond those wanted, in the place of those that were told already. */
const MOST_ASKED = 50;
/** As long as a timer can be. */
const LONGEST_WAIT = 24 * 3_600_000;

export class Triggers {
  readonly #options: TriggerOptions;
  readonly #projectId: string;
  readonly #root: string;
  /** Every turn opens the home anew. */
  readonly #caches = new OwnedCaches();
  readonly #held = new Held();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Until when a subscription that had nothing to be told is left alone, by the clock that nobody sets. */
  readonly #quiet = new Map<string, number>();
  readonly #symbols: SymbolMemory;
  #topics: Topics | undefined;
  #looked = false;
  /** When it was started: prompts from before are nobody's news. */
  #since = 0;
  /** The last prompt that was looked at, of each conversation. */
  readonly #asked = new Map<string, number>();
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;

  private constructor(options: TriggerOptions) {
    this.#options = options;
    const { commonDir, root } = findProject(options.folder);
    this.#projectId = commonDir;
    this.#root = root;
    this.#symbols = new SymbolMemory(root);
  }

  /** Before the first change: what symbols are then is what later ones are compared with. */
  static async start(options: TriggerOptions): Promise<Triggers> {
    const triggers = new Triggers(options);
    await triggers.#inTurn(async (dex) => {
      triggers.#since = dex.now();
      triggers.#symbols.remember(dex.paths.code, triggers.#subscriptions(dex).flatMap(symbolPatterns));
      return 0;
    });
    return triggers;
  }

  /** After the code of what changed was read. Resolves with the number of deliveries that were written. */
  take(batch: ChangeBatch): Promise<number> {
    return this.#inTurn((dex) => this.#batch(dex, batch));
  }

  /** What somebody does right now, told by whoever sees it: a prompt, a file that was opened. */
  focus(activity: Activity): Promise<number> {
    return this.#inTurn((dex) => {
      const { symbol, prompt } = activity;
      const repository = findProject(this.#root);
      const file = activity.file === undefined ? undefined : insidePath(repository, activity.file, activity.folder);
      const happening: Happening = {
        files: file === undefined ? [] : [file],
        symbols: () => (symbol === undefined ? [] : [{ name: symbol, qualified: symbol, file: file ?? "" }]),
        textOf: (path) => this.#textOf(path),
        ...(prompt === undefined ? {} : { prompt }),
      };
      return this.#each(dex, happening, activity, false);
    });
  }

  /** What is held back by a cooldown is given up. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await this.#turn.catch(() => {});
    this.#topics?.close();
    this.#caches.close();
  }

  #inTurn(work: (dex: Dex) => Promise<number>): Promise<number> {
    const result = this.#turn.then(async () => {
      const dex = await Dex.open({ cwd: this.#root, caches: this.#caches, ...this.#options.open });
      try {
        return await work(dex);
      } finally {
        dex.close();
      }
    });
    this.#turn = result.catch(() => {});
    return result;
  }

  async #batch(dex: Dex, batch: ChangeBatch): Promise<number> {
    const subscriptions = this.#subscriptions(dex);
    if (subscriptions.length === 0) return 0;
    const tests = subscriptions.flatMap(symbolPatterns).map(symbolTest);
    let symbols: ReturnType<Happening["symbols"]> | undefined;
    const failing = batch.tests ? failingFiles(dex, this.#root) : [];
    const happening: Happening = {
      files: [...new Set([...batch.changed, ...batch.removed, ...failing])],
      symbols: () => (symbols ??= this.#symbols.changed(dex.paths.code, batch, tests)),
      textOf: (path) => this.#textOf(path),
    };
    let written = 0;
    const about = { folder: this.#root, recent: [] };
    if (happening.files.length > 0) written += await this.#each(dex, happening, about, batch.head);
    if (!batch.conversations) return written;
    this.#since = Math.min(this.#since, dex.now());
    for (const { text, session, index } of promptsSince(dex, this.#root, this.#since)) {
      if ((this.#asked.get(session) ?? -1) >= index) continue;
      this.#asked.set(session, index);
      const asked = { files: [], symbols: () => [], textOf: () => undefined, prompt: text };
      written += await this.#each(dex, asked, { ...about, prompt: text, session }, false);
    }
    return written;
  }

  async #each(dex: Dex, happening: Happening, activity: Activity, fresh: boolean): Promise<number> {
    const subscriptions = this.#subscriptions(dex);
    if (subscriptions.length === 0 || this.#closed) return 0;
    const topics = await this.#aboutTopics(subscriptions);
    let written = 0;
    for (const subscription of subscriptions) {
      const matches = matchPatterns(subscription.watchPatterns, happening, topics);
      if (matches.length === 0 && entitiesOf(subscription).size === 0) continue;
      this.#held.add(subscription.id, matches.length > 0 ? matches : byEntity(subscription, happening));
      written += await this.#consider(dex, subscription, activity, fresh);
    }
    return written;
  }

  async #aboutTopics(subscriptions: readonly Subscription[]): Promise<(text: string, topic: string) => boolean> {
    const watched = subscriptions.some(({ watchPatterns }) => watchPatterns.some(({ type }) => type === "topic"));
    if (watched) this.#topics ??= await Topics.open();
    return (text, topic) => this.#topics?.isAbout(text, topic) ?? false;
  }

  /** Now, or when the cooldown is over. */
  async #consider(dex: Dex, subscription: Subscription, activity: Activity, fresh: boolean): Promise<number> {
    const quiet = (this.#quiet.get(subscription.id) ?? Number.NEGATIVE_INFINITY) - this.#monotonic();
    const rest = Math.max(restOf(subscription, dex.now()), quiet);
    if (rest > 0) {
      this.#later(subscription.id, rest, activity);
      return 0;
    }
    const matches = this.#held.take(subscription.id);
    if (matches.length === 0) return 0;
    this.#quiet.set(subscription.id, this.#monotonic() + subscription.cooldownMs);
    const suggested = await this.#suggest(dex, subscription, matches, activity, fresh);
    if (suggested.suggestions.length === 0) return 0;
    const became = dex.withState((state) => this.#write(state, dex.now(), subscription, { suggested, matches }));
    if (became === "written") this.#options.wake?.();
    if (became === "overtaken") {
      this.#held.add(subscription.id, matches);
      this.#later(subscription.id, subscription.cooldownMs, activity);
    }
    return became === "written" ? 1 : 0;
  }

  #later(id: string, rest: number, activity: Activity): void {
    if (this.#timers.has(id) || this.#closed) return;
    const again = (): void => {
      this.#timers.delete(id);
      this.#inTurn(async (dex) => {
        const subscription = this.#subscriptions(dex).find((each) => each.id === id);
        return subscription && !this.#closed ? this.#consider(dex, subscription, activity, false) : 0;
      }).catch((error) => this.#options.report?.(error));
    };
    this.#timers.set(id, setTimeout(again, Math.min(rest, LONGEST_WAIT)).unref());
  }

  async #suggest(
    dex: Dex,
    subscription: Subscription,
    matches: readonly Match[],
    activity: Activity,
    fresh: boolean,
  ): Promise<Suggested> {
    const { id, minRelevanceScore, maxSuggestionsPerTrigger: most, itemCooldownMs, sessionId } = subscription;
    const told = dex.withState((state) => state.subscriptions.told(id));
    const [first] = matches;
    const files = [...new Set(matches.flatMap(({ file }) => file ?? []))];
    const suggested = await suggestFor(
      dex,
      {
        ...activity,
        ...(files[0] === undefined ? {} : { file: join(this.#root, files[0]) }),
        ...(first?.symbol === undefined ? {} : { symbol: first.symbol }),
        recent: [...files.slice(1, MOST_NAMED).map((file) => join(this.#root, file)), ...activity.recent],
        ...(sessionId === "" ? {} : { session: sessionId }),
      },
      triggerOf(first),
      {
        minRelevanceScore,
        maxSuggestions: Math.min(MOST_ASKED, most + told.size),
        record: false,
        // The watcher keeps the index up to date; what it does not keep is brought so once, and with a new commit.
        stale: this.#looked && !fresh,
        surface: "subscription",
      },
    );
    this.#looked = true;
    const entities = entitiesOf(subscription);
    const onlyEntities = matches.every(({ pattern }) => pattern.type === "entity" && entities.has(pattern.pattern));
    const items = suggested.suggestions
      .filter((item) => !wasTold(item, told, itemCooldownMs, dex.now()))
      .filter(({ entityId }) => !onlyEntities || entities.has(entityId))
      .slice(0, most);
    return { ...suggested, suggestions: items };
  }

  /** Overtaken: another process told the subscription something in the meantime. */
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
      const told = suggested.suggestions.map(({ entityId, time }) => ({ entityId, itemTime: time }));
      state.subscriptions.tell(subscription.id, told, now);
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
      state.subscriptions.believeClock(dex.now());
      return state.subscriptions.all().filter(({ enabled, projectId }) => enabled && projectId === this.#projectId);
    });
  }

  #textOf(path: string): string | undefined {
    const beginning = readBeginning(join(this.#root, path));
    return beginning === undefined ? undefined : `${path.split(/[/._-]+/).join(" ")}\n${beginning}`;
  }
}
