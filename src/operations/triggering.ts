/**
 * From what changed to what is told: for each subscription that a change matches, a suggestion is made; it, its delivery
 * and the time of it are written in one transaction. Sending is another matter: whatever ends this process, what was
 * written is sent once, and what was not written was never promised.
 */
import { randomBytes } from "node:crypto";
import { closeSync, constants, existsSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { Dex } from "../dex.ts";
import { findProject, insidePath } from "../history/repository.ts";
import type { StateStore } from "../store/sqlite/state.ts";
import type { Subscription } from "../store/subscriptions.ts";
import type { Activity, ChangeBatch, Trigger } from "../suggest/model.ts";
import { restOf, wasTold } from "../suggest/subscriptions/cooldown.ts";
import { Held } from "../suggest/subscriptions/held.ts";
import { type Happening, type Match, matchPatterns } from "../suggest/subscriptions/match.ts";
import { symbolTest } from "../suggest/subscriptions/symbols.ts";
import { BEGINNING, Topics } from "../suggest/subscriptions/topics.ts";
import { SymbolMemory } from "./changed_symbols.ts";
import { withState } from "./decision_sources.ts";
import { type Suggested, suggestFor } from "./suggesting.ts";
import { payloadOf, plainItem, rowOf } from "./trigger_payload.ts";

export interface TriggerOptions {
  /** Of the project that is watched. */
  folder: string;
  /** Something is to be sent. */
  wake?(): void;
  report?(error: unknown): void;
}

/** Items asked for beyond those wanted, in the place of those that were told already. */
const MOST_ASKED = 50;
const MOST_RECENT = 10;
/** As long as a timer can be. */
const LONGEST_WAIT = 24 * 3_600_000;

export class Triggers {
  readonly #dex: Dex;
  readonly #options: TriggerOptions;
  readonly #projectId: string;
  readonly #root: string;
  readonly #held = new Held();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Until when a subscription that had nothing to be told is left alone, by the clock that nobody sets. */
  readonly #quiet = new Map<string, number>();
  readonly #symbols: SymbolMemory;
  #topics: Topics | undefined;
  #looked = false;
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(dex: Dex, options: TriggerOptions) {
    this.#dex = dex;
    this.#options = options;
    const { commonDir, root } = findProject(options.folder);
    this.#projectId = commonDir;
    this.#root = root;
    this.#symbols = new SymbolMemory(dex, root);
    this.#symbols.remember(this.#subscriptions().flatMap(symbolPatterns));
  }

  /** After the code of what changed was read. Resolves with the number of deliveries that were written. */
  take(batch: ChangeBatch): Promise<number> {
    return this.#inTurn(() => this.#batch(batch));
  }

  /** What somebody does right now, told by whoever sees it: a prompt, a file that was opened. */
  focus(activity: Activity): Promise<number> {
    return this.#inTurn(async () => {
      const { symbol, prompt } = activity;
      const repository = findProject(this.#root);
      const file = activity.file === undefined ? undefined : insidePath(repository, activity.file, activity.folder);
      const happening: Happening = {
        files: file === undefined ? [] : [file],
        symbols: () => (symbol === undefined ? [] : [{ name: symbol, qualified: symbol, file: file ?? "" }]),
        textOf: (path) => this.#textOf(path),
        ...(prompt === undefined ? {} : { prompt }),
      };
      return this.#each(happening, { ...activity }, false);
    });
  }

  /** What is held back by a cooldown is given up. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await this.#turn.catch(() => {});
    this.#topics?.close();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch((error) => this.#options.report?.(error));
    return result;
  }

  async #batch(batch: ChangeBatch): Promise<number> {
    const files = [...batch.changed, ...batch.removed];
    if (files.length === 0) return 0;
    let symbols: ReturnType<Happening["symbols"]> | undefined;
    const tests = (): ReturnType<typeof symbolTest>[] => this.#subscriptions().flatMap(symbolPatterns).map(symbolTest);
    const happening: Happening = {
      files,
      symbols: () => (symbols ??= this.#symbols.changed(batch, tests())),
      textOf: (path) => this.#textOf(path),
    };
    return this.#each(happening, { folder: this.#root, recent: [] }, batch.head);
  }

  async #each(happening: Happening, activity: Activity, fresh: boolean): Promise<number> {
    const subscriptions = this.#subscriptions();
    if (subscriptions.length === 0 || this.#closed) return 0;
    const topics = await this.#aboutTopics(subscriptions);
    let written = 0;
    for (const subscription of subscriptions) {
      const matches = matchPatterns(subscription.watchPatterns, happening, topics);
      if (matches.length === 0 && entitiesOf(subscription).size === 0) continue;
      this.#held.add(subscription.id, matches.length > 0 ? matches : byEntity(subscription, happening));
      written += await this.#consider(subscription, activity, fresh);
    }
    return written;
  }

  async #aboutTopics(subscriptions: readonly Subscription[]): Promise<(text: string, topic: string) => boolean> {
    const watched = subscriptions.some(({ watchPatterns }) => watchPatterns.some(({ type }) => type === "topic"));
    if (watched) this.#topics ??= await Topics.open();
    return (text, topic) => this.#topics?.isAbout(text, topic) ?? false;
  }

  /** Now, or when the cooldown is over. */
  async #consider(subscription: Subscription, activity: Activity, fresh: boolean): Promise<number> {
    const quiet = (this.#quiet.get(subscription.id) ?? 0) - performance.now();
    const rest = Math.max(restOf(subscription, this.#dex.now()), quiet);
    if (rest > 0) {
      this.#later(subscription.id, rest, activity);
      return 0;
    }
    const matches = this.#held.take(subscription.id);
    if (matches.length === 0) return 0;
    this.#quiet.set(subscription.id, performance.now() + subscription.cooldownMs);
    const suggested = await this.#suggest(subscription, matches, activity, fresh);
    if (suggested.suggestions.length === 0) return 0;
    const became = withState(this.#dex, (state) => this.#write(state, subscription, suggested, matches));
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
      this.#inTurn(async () => {
        const subscription = this.#subscriptions().find((each) => each.id === id);
        return subscription && !this.#closed ? this.#consider(subscription, activity, false) : 0;
      }).catch(() => {});
    };
    this.#timers.set(id, setTimeout(again, Math.min(rest, LONGEST_WAIT)).unref());
  }

  async #suggest(
    subscription: Subscription,
    matches: readonly Match[],
    activity: Activity,
    fresh: boolean,
  ): Promise<Suggested> {
    const { id, minRelevanceScore, maxSuggestionsPerTrigger: most, itemCooldownMs, sessionId } = subscription;
    const told = withState(this.#dex, (state) => state.subscriptions.told(id));
    const [first] = matches;
    const files = [...new Set(matches.flatMap(({ file }) => file ?? []))];
    const suggested = await suggestFor(
      this.#dex,
      {
        ...activity,
        ...(files[0] === undefined ? {} : { file: join(this.#root, files[0]) }),
        ...(first?.symbol === undefined ? {} : { symbol: first.symbol }),
        recent: [...files.slice(1, MOST_RECENT).map((file) => join(this.#root, file)), ...activity.recent],
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
      .filter((item) => !wasTold(item, told, itemCooldownMs, this.#dex.now()))
      .filter(({ entityId }) => !onlyEntities || entities.has(entityId))
      .slice(0, most)
      .map(plainItem);
    return { ...suggested, suggestions: items };
  }

  /** Overtaken: another process told the subscription something in the meantime. */
  #write(
    state: StateStore,
    before: Subscription,
    suggested: Suggested,
    matches: readonly Match[],
  ): "written" | "overtaken" | "gone" {
    const now = this.#dex.now();
    return state.transaction(() => {
      const subscription = state.subscriptions.get(before.id);
      if (!subscription?.enabled) return "gone";
      if (subscription.lastTriggeredAt !== before.lastTriggeredAt) return "overtaken";
      const id = `dlv_${randomBytes(6).toString("hex")}`;
      const body = JSON.stringify(payloadOf(id, subscription, suggested, matches));
      state.suggestions.put(rowOf(suggested));
      state.deliveries.add(subscription, { id, suggestionId: suggested.id, body }, now);
      const told = suggested.suggestions.map(({ entityId, time }) => ({ entityId, itemTime: time }));
      state.subscriptions.tell(subscription.id, told, now);
      state.subscriptions.triggered(subscription.id, now);
      return "written";
    });
  }

  #subscriptions(): Subscription[] {
    if (!existsSync(this.#dex.paths.state)) return [];
    return withState(this.#dex, (state) => {
      state.subscriptions.believeClock(this.#dex.now());
      return state.subscriptions.all().filter(({ enabled, projectId }) => enabled && projectId === this.#projectId);
    });
  }

  #textOf(path: string): string | undefined {
    const beginning = readBeginning(join(this.#root, path));
    return beginning === undefined ? undefined : `${path.split(/[/._-]+/).join(" ")}\n${beginning}`;
  }
}

function symbolPatterns({ watchPatterns }: Subscription): string[] {
  return watchPatterns.filter(({ type }) => type === "symbol").map(({ pattern }) => pattern);
}

/** Things that are no files: whether a change concerns them shows in what is suggested for it. */
function entitiesOf({ watchPatterns }: Subscription): Set<string> {
  return new Set(
    watchPatterns
      .filter(({ type, pattern }) => type === "entity" && /^\w+:/.test(pattern) && !pattern.startsWith("file:"))
      .map(({ pattern }) => pattern),
  );
}

function byEntity(subscription: Subscription, { files, prompt }: Happening): Match[] {
  const entities = entitiesOf(subscription);
  const pattern = subscription.watchPatterns.find((each) => entities.has(each.pattern));
  if (!pattern) return [];
  if (files.length === 0 && prompt !== undefined) return [{ pattern, source: prompt.slice(0, 200) }];
  return files.slice(0, MOST_RECENT).map((file) => ({ pattern, source: file, file }));
}

function triggerOf(match: Match | undefined): Trigger {
  if (match?.symbol !== undefined) return { type: "symbol_focus", source: match.symbol };
  return { type: match?.file === undefined ? "activity" : "file_change", source: match?.source ?? "" };
}

/** Enough to tell a topic from. A link is not followed: it may lead out of the project. */
function readBeginning(path: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const bytes = Buffer.alloc(BEGINNING * 4);
    const text = bytes.toString("utf8", 0, readSync(fd, bytes));
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
