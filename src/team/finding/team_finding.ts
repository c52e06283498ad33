/**
 * Answers questions over the conversations of this home and of the team. dex reads the team's index from a cache; if
 * the cache lacks something, dex fetches it and asks the question again. If the server does not answer in time, dex
 * answers from the cache if that has everything the question needs, otherwise from this home alone, and says so.
 */
import type { Socket } from "node:net";
import { relative } from "node:path";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import { MACHINE, ME } from "../../store/engine/cached_team.ts";
import { CHECKED, openCache, type SharedCache } from "../../store/engine/shared.ts";
import type { IndexReader } from "../../store/index_reader.ts";
import { JoinedReader } from "../../store/joined/reader.ts";
import { type Misses, missingParts, noMisses } from "../../store/shared/misses.ts";
import { cleanLine } from "../../text/clean.ts";
import { openTeam, type Session } from "../access.ts";
import { fetchMisses } from "./fetch.ts";
import { cacheFolder, MAX_UNCHECKED_MS, removeCache, type TeamPlaces } from "./places.ts";
import { refreshCache, type Visible, visibleBuckets } from "./refresh.ts";
import { clearSilence, noteSilence, wasSilent } from "./silence.ts";
import { failAfter, failIfSilent, progressOf, SilentServer, UNREACHABLE } from "./timeouts.ts";
import { fetchWhole } from "./whole.ts";

/** Time limit for connecting, and for one call. dex gives up much earlier on a server that sends nothing (`waitMs`). */
const CALL_MS = 5000;
/** Time limit for fetching the tables of new segments; the first time, these are all segments. */
const REFRESH_MS = 10_000;
/** The most times that a question is repeated: for its terms, its vectors, and the words and texts of its hits. */
const MAX_ROUNDS = 12;
/** Longer than any name of a member. */
const MAX_NAME_CHARS = 100;
/** The share of the cache's limit for whole projects; parts fetched for questions get the rest. */
const WHOLE_SHARE = 0.4;

export interface TeamQuestion<T> {
  local: IndexReader;
  places: TeamPlaces;
  /** The folders of shared projects in this home, by scope. */
  roots: ReadonlyMap<string, string>;
  now: number;
  /** dex stops waiting for a server that sends nothing for this long. */
  waitMs: number;
  /** How long dex waits before it asks a silent server again. */
  retryMs: number;
  /** Limit for the parts that questions fetched into the cache. */
  maxCacheBytes: number;
  /** Use the cache alone. */
  offline?: boolean;
  notice(text: string): void;
  /** Answers over this index; undefined: over this home alone. */
  answer(joined: JoinedReader | undefined): Promise<T>;
}

type Contact = Pick<TeamQuestion<unknown>, "places" | "now" | "waitMs" | "retryMs">;

/** Opened by the first question, and kept for the next ones. */
export class TeamFinding {
  #session: Session | undefined;
  #cache: SharedCache | undefined;
  #joined: { local: IndexReader; reader: JoinedReader } | undefined;
  /** Questions share the list of missing parts, so they are answered one after the other. */
  #opening: Promise<Session> | undefined;
  /** Closes the connection: a silent server must not keep this process from ending. */
  #cut: AbortController | undefined;
  /** The sockets of the session. */
  #sockets: Socket[] = [];
  #last: Promise<unknown> = Promise.resolve();

  ask<T>(question: TeamQuestion<T>): Promise<T> {
    const answer = this.#last.then(() => this.#ask(question));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #ask<T>(question: TeamQuestion<T>): Promise<T> {
    const { places, now, notice } = question;
    const failure = question.offline ? "" : await this.#contact(question);
    const cache = failure === REFUSED ? undefined : this.#usable(places, now);
    if (!cache) {
      if (failure === REFUSED) this.#forget(places);
      if (failure !== undefined && failure !== "") notice(`${failure} These are the conversations of this home.`);
      return question.answer(undefined);
    }
    cache.place(question.roots);
    const reader = this.#join(question.local, cache);
    const asked = new Set<string>();
    for (let round = 1; ; round += 1) {
      cache.clearMisses();
      const [result, error] = await attempt(() => question.answer(reader));
      // Another member may have written unreadable data: without it, the question can be answered.
      if (error && isDamage(error.cause) && cache.refuseDamaged()) continue;
      const misses = worthFetching(cache.misses);
      const isAskedAgain = [...keysOf(misses)].every((key) => asked.has(key));
      const isEnough = failure !== undefined && missingParts(misses) === 0;
      if (isAskedAgain || isEnough || round === MAX_ROUNDS) {
        cache.trim(question.maxCacheBytes);
        if (error) throw error.cause;
        for (const owner of cache.refusedOwners()) notice(refusal(owner));
        if (failure)
          notice(`${failure} Shared conversations are as they were ${ago(now - (cache.number(CHECKED) ?? 0))}.`);
        return result as T;
      }
      for (const key of keysOf(misses)) asked.add(key);
      const lost = failure ?? (await this.#fetch(cache, misses));
      if (lost === undefined) continue;
      if (lost !== "") notice(`${lost} These are the conversations of this home.`);
      return question.answer(undefined);
    }
  }

  /** Updates the cache, including all words of the projects that this home has. Returns a sentence if that failed. */
  async prepare(question: Omit<TeamQuestion<unknown>, "answer" | "notice" | "local">): Promise<string | undefined> {
    const failure = await this.#contact(question);
    if (failure === REFUSED) this.#forget(question.places);
    if (failure !== undefined || !this.#session || !this.#cache) return failure;
    this.#cache.place(question.roots);
    try {
      const most = question.maxCacheBytes * WHOLE_SHARE;
      await fetchWhole(this.#session.link, this.#cache, [...question.roots.keys()], most);
      return undefined;
    } catch (error) {
      this.#abandon();
      return failureOf(error);
    }
  }

  /**
   * Updates the list of segments. Returns a sentence if the server cannot be asked; undefined if the cache is up to
   * date.
   */
  async #contact({ places, now, waitMs, retryMs }: Contact): Promise<string | undefined> {
    if (!this.#session && wasSilent(places.team, retryMs)) return UNREACHABLE;
    try {
      const progress = (): number => progressOf(this.#sockets);
      const [{ link, hello }, visible] = await failIfSilent(this.#greeted(places), waitMs, progress);
      clearSilence(places.team);
      const cache = this.#open(places);
      await failAfter(refreshCache(link, cache, now, visible), REFRESH_MS);
      cache.setValue(ME, hello.name);
      cache.setValue(MACHINE, hello.machine ?? "");
      return undefined;
    } catch (error) {
      this.#abandon();
      // A server that refuses does so quickly; a silent one would delay every command.
      if (error instanceof SilentServer) noteSilence(places.team);
      return failureOf(error);
    }
  }

  /** The session, and the buckets that the member sees now. */
  async #greeted({ team }: TeamPlaces): Promise<[Session, Visible[]]> {
    if (this.#session) return [this.#session, await visibleBuckets(this.#session.link)];
    const cut = new AbortController();
    this.#sockets = [];
    const onSocket = (socket: Socket): void => void this.#sockets.push(socket);
    let visible: Promise<Visible[]> = Promise.resolve([]);
    const opening = openTeam(team, { connectMs: CALL_MS, callMs: CALL_MS, signal: cut.signal, onSocket }, (link) => {
      visible = visibleBuckets(link);
      visible.catch(() => {});
    });
    this.#opening = opening;
    this.#cut = cut;
    const session = await opening;
    // A connection that opens too late is closed.
    if (this.#opening !== opening) await session.link.close();
    else this.#session = session;
    return [session, await visible];
  }

  async #fetch(cache: SharedCache, misses: Misses): Promise<string | undefined> {
    try {
      if (!this.#session) return UNREACHABLE;
      await fetchMisses(this.#session.link, cache, misses);
      return undefined;
    } catch (error) {
      this.#abandon();
      return failureOf(error);
    }
  }

  #open(places: TeamPlaces): SharedCache {
    const folder = cacheFolder(places.team);
    this.#cache ??= openCache({ folder, fromArchive: relative(places.archive, folder) });
    return this.#cache;
  }

  /** Undefined if nothing is cached, or it is too old. */
  #usable(places: TeamPlaces, now: number): SharedCache | undefined {
    const cache = this.#open(places);
    const checked = cache.number(CHECKED);
    if (checked === undefined) return undefined;
    if (now - checked <= MAX_UNCHECKED_MS) return cache;
    this.#forget(places);
    return undefined;
  }

  #join(local: IndexReader, cache: SharedCache): JoinedReader {
    if (this.#joined?.local !== local) {
      this.#joined = {
        local,
        reader: new JoinedReader(local, cache, {
          owner: cache.getValue(ME) ?? "",
          machine: cache.getValue(MACHINE) ?? "",
        }),
      };
    }
    let known: Set<string> | undefined;
    cache.hide((source, id) => {
      known ??= new Set(local.ids().map((each) => `${each.source} ${each.id}`));
      return known.has(`${source} ${id}`);
    });
    return this.#joined.reader;
  }

  #forget(places: TeamPlaces): void {
    this.#cache?.close();
    this.#cache = undefined;
    this.#joined = undefined;
    removeCache(places.team);
  }

  /** Does not close the connection in an orderly way: the server would have to answer. */
  #abandon(): void {
    this.#cut?.abort();
    this.#disconnect();
  }

  #disconnect(): void {
    void this.#session?.link.close().catch(() => {});
    this.#session = undefined;
    this.#opening = undefined;
    this.#cut = undefined;
  }

  close(): void {
    this.#disconnect();
    this.#cache?.close();
    this.#cache = undefined;
    this.#joined = undefined;
  }
}

/** Any unexplained error, because damaged bytes can cause other errors than that of a block. */
function isDamage(cause: unknown): boolean {
  return !(cause instanceof DexError);
}

function refusal(owner: string): string {
  return `Something that ${cleanLine(owner, MAX_NAME_CHARS)} shared cannot be used: dex leaves it out. An admin can look at this member's machine, or revoke it (\`dex team revoke\`).`;
}

const REFUSED = "The team's server does not accept this machine, so its cache was deleted.";

function failureOf(error: unknown): string {
  if (!(error instanceof DexError)) return `The team's answer cannot be used (${errorMessage(error)}).`;
  if (error.code === "team_access") return REFUSED;
  return error.code === "team_unreachable" ? UNREACHABLE : error.message;
}

async function attempt<T>(work: () => Promise<T>): Promise<[T | undefined, { cause: unknown } | undefined]> {
  try {
    return [await work(), undefined];
  } catch (cause) {
    return [undefined, { cause }];
  }
}

/** If words are missing, only these are fetched: with them, the question leads to other conversations. */
function worthFetching(misses: Misses): Misses {
  return misses.terms.size === 0 ? misses : { ...noMisses(), terms: misses.terms, groups: misses.groups };
}

/** One key for each missing part. */
function* keysOf({ terms, groups, details, blocks }: Misses): Generator<string> {
  for (const [segment, missing] of terms) for (const term of missing) yield `term ${segment} ${term}`;
  for (const group of groups) yield `group ${group}`;
  for (const [segment, missing] of details) for (const first of missing) yield `detail ${segment} ${first}`;
  for (const [no, missing] of blocks) for (const offset of missing.keys()) yield `block ${no} ${offset}`;
}

function ago(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 2) return "a moment ago";
  return minutes < 120 ? `${minutes} minutes ago` : `${Math.round(minutes / 60)} hours ago`;
}
