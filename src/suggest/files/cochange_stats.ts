/** Co-change statistics of a file, from a list of changes (commits or conversations). */
import { COCHANGE, type Partner, rankPartners } from "../../history/cochange/cochange.ts";
import type { ChangeHistory } from "../../project/changes.ts";
import type { Touch } from "../../store/history_records.ts";
import { HABIT_CHANGES, kindOf, projectHabits, RECENT_CHANGES } from "./project_habits.ts";

export interface PairStats {
  /** 1 for the partner with the highest share, 1/2 for the next, 0 for no partner. */
  rank: number;
  /**
   * The smoothed share of the file's changes that also change the other file; if there are none, the other file's base
   * rate.
   */
  share: number;
  support: number;
  confidence: number;
  last: number;
  /** The share among the file's last changes. */
  newest: number;
  /** 1 if the file's last change changed the other too, 1/2 if the one before did, 0 for none. */
  latest: number;
  /** The share of the other's changes that also change the file. */
  back: number;
  /** How often recent changes of the project changed the other file, and the number of changes since the last one. */
  usual: number;
  idle: number;
  /** How often recent changes of files of the same kind changed the other. */
  usualWith: number;
  /** The share of recent changes in the file's folder that changed the other. */
  beside: number;
  /** The share of the file's changes that changed a file of the other's folder. */
  toFolder: number;
}

export interface CoChangeStats {
  conversations: boolean;
  /** The number of changes to the file. */
  touches: number;
  /** The smoothed share of the file's changes that changed no other file. */
  alone: number;
  /** 1 if the last change of the project changed the file, 1/2 if the one before did. */
  current: number;
  /** Files that may change with the file. */
  candidates: readonly string[];
  of(path: string): PairStats;
}

const MAX_PARTNERS = 80;
const MAX_BESIDE = 20;
const MAX_USUAL = 25;
/** Half-lives are counted in changes. */
const HALF_LIFE_NEWEST = 2;
const HALF_LIFE_BESIDE = 15;
const HALF_LIFE_ALONE = 10;
/** Pseudo-observations at the project's share of changes of one file. */
const PRIOR_ALONE = 3;
const PRIOR_FOLDER = 2;
/** So many of the file's latest changes are used to find its folders. */
const MAX_FOLDER_TOUCHES = 60;

export function coChangeStats(file: string, changes: ChangeHistory, conversations: boolean): CoChangeStats {
  const touches = changes.touches(file);
  const total = changes.total();
  const habits = projectHabits(changes);
  const partners = partnersOf(file, changes);
  const byPath = new Map(partners.map((partner, at) => [partner.path, { ...partner, rank: 1 / (1 + at) }]));
  const { newest, latest } = newestShares(file, touches);
  const beside = besideFolder(file, changes);
  const usualWith = habits.usualWith(kindOf(file));
  const folders = folderShares(file, touches);
  const candidates = new Set([
    ...byPath.keys(),
    ...highest(habits.usual, MAX_USUAL),
    ...highest(usualWith, MAX_USUAL),
    ...highest(beside, MAX_BESIDE),
  ]);
  candidates.delete(file);
  const idle = habits.idle.get(file);
  return {
    conversations,
    touches: touches.length,
    alone: aloneShare(touches, habits.alone),
    current: idle === undefined ? 0 : 1 / (1 + idle),
    candidates: [...candidates],
    of: (path) => {
      const partner = byPath.get(path);
      const count = changes.count(path);
      return {
        rank: partner?.rank ?? 0,
        share: partner?.score ?? shareWithout(touches.length, count, total),
        support: partner?.support ?? 0,
        confidence: partner?.confidence ?? 0,
        last: partner?.last ?? 0,
        newest: newest.get(path) ?? 0,
        latest: latest.get(path) ?? 0,
        back: count === 0 ? 0 : (partner?.support ?? 0) / count,
        usual: habits.usual.get(path) ?? 0,
        idle: habits.idle.get(path) ?? RECENT_CHANGES,
        usualWith: usualWith.get(path) ?? 0,
        beside: beside.get(path) ?? 0,
        toFolder: folders.get(folderOf(path)) ?? 0,
      };
    },
  };
}

const OPTIONS = { ...COCHANGE, likeness: 0 };

function partnersOf(file: string, changes: ChangeHistory): Partner[] {
  return rankPartners(file, changes.touches(file), (path) => changes.count(path), changes.total(), OPTIONS).slice(
    0,
    MAX_PARTNERS,
  );
}

/** The score `rankPartners` would give to a file that never changed with this one. */
function shareWithout(touches: number, count: number, total: number): number {
  let all = 0;
  for (let age = 0; age < touches; age += 1) all += 0.5 ** (age / COCHANGE.halfLife);
  return (COCHANGE.prior * (count / Math.max(1, total))) / (all + COCHANGE.prior);
}

function newestShares(
  file: string,
  touches: readonly Touch[],
): { newest: Map<string, number>; latest: Map<string, number> } {
  const newest = new Map<string, number>();
  const latest = new Map<string, number>();
  let all = 0;
  for (const [age, { files }] of touches.slice(0, 8).entries()) {
    const weight = 0.5 ** (age / HALF_LIFE_NEWEST);
    all += weight;
    for (const path of files) {
      if (path === file) continue;
      newest.set(path, (newest.get(path) ?? 0) + weight);
      if (!latest.has(path)) latest.set(path, 1 / (1 + age));
    }
  }
  for (const [path, weight] of newest) newest.set(path, weight / (all + 0.5));
  return { newest, latest };
}

function aloneShare(touches: readonly Touch[], usual: number): number {
  let all = 0;
  let alone = 0;
  for (const [age, { files }] of touches.entries()) {
    const weight = 0.5 ** (age / HALF_LIFE_ALONE);
    all += weight;
    if (files.length === 1) alone += weight;
  }
  return (alone + PRIOR_ALONE * usual) / (all + PRIOR_ALONE);
}

/** By folder: the share of the file's changes that changed another file there. */
function folderShares(file: string, touches: readonly Touch[]): Map<string, number> {
  const found = new Map<string, number>();
  let all = 0;
  for (const [age, { files }] of touches.slice(0, MAX_FOLDER_TOUCHES).entries()) {
    const weight = 0.5 ** (age / HALF_LIFE_ALONE);
    all += weight;
    const folders = new Set(files.flatMap((path) => (path === file ? [] : [folderOf(path)])));
    for (const folder of folders) found.set(folder, (found.get(folder) ?? 0) + weight);
  }
  for (const [folder, weight] of found) found.set(folder, weight / (all + PRIOR_FOLDER));
  return found;
}

/** Co-changes of the file's folder, for files with little history of their own. */
function besideFolder(file: string, changes: ChangeHistory): Map<string, number> {
  const found = new Map<string, number>();
  const folder = folderOf(file);
  let all = 0;
  let age = 0;
  for (const { files } of changes.latest(HABIT_CHANGES)) {
    const within = files.filter((path) => folderOf(path) === folder);
    if (within.length === 0) continue;
    const weight = 0.5 ** (age / HALF_LIFE_BESIDE);
    age += 1;
    all += weight;
    // A file is not evidence for itself: it counts only if another file of the folder changed too.
    for (const path of files) {
      if (path !== file && (within.length > 1 || path !== within[0])) found.set(path, (found.get(path) ?? 0) + weight);
    }
  }
  for (const [path, weight] of found) found.set(path, weight / (all + 1));
  return found;
}

function highest(shares: ReadonlyMap<string, number>, limit: number): string[] {
  return [...shares]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, limit)
    .map(([path]) => path);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
