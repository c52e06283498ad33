/**
 * Shows a project as dex would have known it at a moment of the past: earlier commits, and conversations that had
 * ended.
 */
import type { Decision } from "../../decisions/decision.ts";
import type { Dex } from "../../dex.ts";
import { CommitLinks } from "../../history/links.ts";
import type { Repository } from "../../history/repository.ts";
import type { CodeReader } from "../../store/code.ts";
import type { HistoryReader } from "../../store/history.ts";
import type { ProjectView } from "../evidence.ts";
import type { Activity } from "../model.ts";
import { focusOf } from "../view/focus.ts";
import { likenessTo, questionOf } from "../view/question.ts";

const RECENT_CHANGE_DAYS = 7;
const MAX_NEAR = 8;
/** Later conversations are dropped from the hits, so more are requested. */
const MAX_HITS = 60;
/** So many rows are read to find the earlier ones. */
const MAX_ROWS = 1000;
const MAX_ROWS_OF_FILE = 200;
const MAX_CONVERSATIONS = 5000;
/** The most cached entries for each kind of lookup. */
const MAX_KEPT = 2000;

export interface PastSources {
  settings: Dex["settings"];
  /** Memoized, because the moments of a replay look up the same conversations. */
  index: Index;
  repository: Repository;
  history: HistoryReader;
  graph: CodeReader | undefined;
  decisions: readonly Decision[];
}

/** Contains nothing later than `time`, provided that the history and the decisions do not. */
export function viewAt(
  { settings, index: whole, repository, history, graph, decisions }: PastSources,
  activity: Activity,
  time: number,
): ProjectView {
  const index = indexBefore(whole, time);
  const question = questionOf(settings, activity);
  const times = { now: time, recentChangeDays: RECENT_CHANGE_DAYS };
  const focus = focusOf(activity, { repository, history, graph, index, changed: undefined, question, ...times });
  let near: ReturnType<ProjectView["near"]> | undefined;
  return {
    activity,
    focus,
    repository,
    history,
    graph,
    links: new CommitLinks(repository, index),
    index,
    filesIn: (no) => index.files(no),
    isChosen: () => true,
    near: () =>
      (near ??= (question ? index.bestTexts(question, { to: time }, MAX_HITS) : [])
        .filter(({ no }) => index.byNo(no) !== undefined && !focus.own.has(no))
        .slice(0, MAX_NEAR)),
    likeness: likenessTo(settings, activity),
    likely: { with: () => [], withNamed: () => [], for: () => [] },
    shifts: {},
    least: () => 0,
    decisions: () => decisions,
    failing: () => [],
    deprecated: () => [],
    documents: undefined,
    changed: undefined,
    ...times,
  };
}

/** The history without commits from this time on. Files keep their current names. */
export function historyBefore(history: HistoryReader, time: number): HistoryReader {
  const isPast = (each: { time: number }): boolean => each.time < time;
  return withMembers(history, {
    recent: (limit) => history.recent(MAX_ROWS).filter(isPast).slice(0, limit),
    commitsOf: (path, limit) => history.commitsOf(path, MAX_ROWS_OF_FILE).filter(isPast).slice(0, limit),
    latestTouches: (files, limit) => history.latestTouches(files, MAX_ROWS).filter(isPast).slice(0, limit),
    byPrefix: (prefix, limit) => history.byPrefix(prefix, limit).filter(isPast),
  });
}

export type Index = Dex["store"];

/** The index with only the conversations that had ended before this time. */
export function indexBefore(store: Index, time: number): Index {
  const isPast = (no: number): boolean => (store.byNo(no)?.updated ?? Number.POSITIVE_INFINITY) < time;
  const { trail } = store;
  return withMembers(store, {
    byNo: (no) => (isPast(no) ? store.byNo(no) : undefined),
    trail: {
      conversation: (no) => (isPast(no) ? trail.conversation(no) : undefined),
      conversationsIn: (roots, limit, since) =>
        trail
          .conversationsIn(roots, MAX_CONVERSATIONS, since)
          .filter(({ updated }) => updated < time)
          .slice(0, limit),
      commitsMade: () => trail.commitsMade().filter(({ no }) => isPast(no)),
      touching: (paths) => trail.touching(paths).filter(({ no }) => isPast(no)),
      ownersPlace: (no) => trail.ownersPlace(no),
    },
  });
}

/** The index with memoized answers to the lookups that a replay repeats. */
export function memoizedIndex(store: Index): Index {
  const { trail } = store;
  return withMembers(store, {
    byNo: once((no) => store.byNo(no)),
    files: once((no) => store.files(no)),
    trail: {
      conversation: once((no) => trail.conversation(no)),
      conversationsIn: once((roots, limit, since) => trail.conversationsIn(roots, limit, since)),
      commitsMade: once(() => trail.commitsMade()),
      touching: (paths) => trail.touching(paths),
      ownersPlace: (no) => trail.ownersPlace(no),
    },
  });
}

export function memoizedHistory(history: HistoryReader): HistoryReader {
  return withMembers(history, {
    recent: once((limit) => history.recent(limit)),
    commitsOf: once((path, limit) => history.commitsOf(path, limit)),
    latestTouches: once((files, limit) => history.latestTouches(files, limit)),
    filesOf: once((no) => history.filesOf(no)),
  });
}

function once<A extends readonly unknown[], R>(look: (...asked: A) => R): (...asked: A) => R {
  const known = new Map<string, R>();
  return (...asked) => {
    const key = asked.join("\0");
    const found = known.get(key);
    if (found !== undefined) return found;
    const answer = look(...asked);
    if (known.size >= MAX_KEPT) known.clear();
    known.set(key, answer);
    return answer;
  };
}

/** The same object with some members replaced. */
function withMembers<T extends object>(whole: T, members: Partial<T>): T {
  return new Proxy(whole, {
    get: (target, name) => {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
