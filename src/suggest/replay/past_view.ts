/** A project as dex would have known it at a moment of the past: earlier commits, and conversations that had ended. */
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
/** Hits of later conversations are dropped, so more are read. */
const MAX_HITS = 60;
/** Rows that are read to find the earlier ones among them. */
const MAX_ROWS = 1000;
const MAX_ROWS_OF_FILE = 200;
const MAX_CONVERSATIONS = 5000;
/** Entries kept of one sort of lookup. */
const MAX_KEPT = 2000;

export interface PastSources {
  settings: Dex["settings"];
  /** `remembered`, because the moments of a replay look up the same conversations. */
  index: Index;
  repository: Repository;
  history: HistoryReader;
  graph: CodeReader | undefined;
  decisions: readonly Decision[];
}

/** Nothing in the view is later than `time`, if the history and the decisions are not. */
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

/** The history without the commits from this time on. Files keep the names of today. */
export function historyBefore(history: HistoryReader, time: number): HistoryReader {
  const isPast = (each: { time: number }): boolean => each.time < time;
  return instead(history, {
    recent: (limit) => history.recent(MAX_ROWS).filter(isPast).slice(0, limit),
    commitsOf: (path, limit) => history.commitsOf(path, MAX_ROWS_OF_FILE).filter(isPast).slice(0, limit),
    latestTouches: (files, limit) => history.latestTouches(files, MAX_ROWS).filter(isPast).slice(0, limit),
    byPrefix: (prefix, limit) => history.byPrefix(prefix, limit).filter(isPast),
  });
}

export type Index = Dex["store"];

/** The index with the conversations that ended before this time. */
export function indexBefore(store: Index, time: number): Index {
  const isPast = (no: number): boolean => (store.byNo(no)?.updated ?? Number.POSITIVE_INFINITY) < time;
  const { trail } = store;
  return instead(store, {
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

/** The index with the answers of the lookups that a replay repeats. */
export function rememberedIndex(store: Index): Index {
  const { trail } = store;
  return instead(store, {
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

export function rememberedHistory(history: HistoryReader): HistoryReader {
  return instead(history, {
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

/** The same object with other members. */
function instead<T extends object>(whole: T, members: Partial<T>): T {
  return new Proxy(whole, {
    get: (target, name) => {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
