/** Co-change statistics of a file, from a list of changes (commits or conversations). */
import { COCHANGE, type Partner, rankPartners } from "../../history/cochange.ts";
import type { ChangeHistory } from "../../project/changes.ts";

export interface PairStats {
  /** 1 for the partner with the highest share, 1/2 for the next, 0 for no partner. */
  rank: number;
  /** The smoothed share of the file's changes that also change the other; without any, the other's base rate. */
  share: number;
  support: number;
  confidence: number;
  last: number;
  /** The share among the file's last changes. */
  newest: number;
  /** The share of the other's changes that also change the file. */
  back: number;
  /** The chance by way of a third file that changes with both. */
  through: number;
  /** How often recent changes of the project changed the other, and the number of changes since the last one. */
  usual: number;
  idle: number;
  /** The share of recent changes in the file's folder that changed the other. */
  beside: number;
}

export interface CoChangeStats {
  conversations: boolean;
  /** The number of changes to the file, and the mean number of other files in them. */
  touches: number;
  size: number;
  /** The share of the strongest partner. */
  best: number;
  /** The share of file pairs in recent changes that earlier changes had too: how stable co-change is in this project. */
  habit: number;
  /** Files that may change with the file. */
  candidates: readonly string[];
  of(path: string): PairStats;
}

const MAX_PARTNERS = 80;
const MAX_BRIDGES = 6;
const MAX_PER_BRIDGE = 15;
const RECENT_CHANGES = 40;
/** Changes examined for co-changes of the file's folder. */
const FOLDER_CHANGES = 100;
const MAX_BESIDE = 20;
/** Files of one change that are paired. */
const MAX_PAIRED = 10;
const MAX_USUAL = 25;
/** Half-lives are counted in changes. */
const HALF_LIFE_NEWEST = 2;
const HALF_LIFE_USUAL = 10;
const HALF_LIFE_BESIDE = 15;

export function coChangeStats(file: string, changes: ChangeHistory, conversations: boolean): CoChangeStats {
  const touches = changes.touches(file);
  const total = changes.total();
  const partners = partnersOf(file, changes);
  const byPath = new Map(partners.map((partner, at) => [partner.path, { ...partner, rank: 1 / (1 + at) }]));
  const newest = newestShares(file, touches);
  const through = throughOthers(file, partners, changes);
  const { usual, idle } = usualFiles(changes);
  const latest = changes.latest(RECENT_CHANGES);
  const sizes = (touches.length > 0 ? touches : latest).map(({ files }) => files.length - 1);
  const size = sizes.length === 0 ? 0 : sizes.reduce((sum, each) => sum + each, 0) / sizes.length;
  const beside = besideFolder(file, changes);
  const candidates = new Set([
    ...byPath.keys(),
    ...through.keys(),
    ...highest(usual, MAX_USUAL),
    ...highest(beside, MAX_BESIDE),
  ]);
  candidates.delete(file);
  return {
    conversations,
    touches: touches.length,
    size,
    best: partners[0]?.score ?? 0,
    habit: habitOf(changes),
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
        back: count === 0 ? 0 : (partner?.support ?? 0) / count,
        through: through.get(path) ?? 0,
        usual: usual.get(path) ?? 0,
        idle: idle.get(path) ?? RECENT_CHANGES,
        beside: beside.get(path) ?? 0,
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

function newestShares(file: string, touches: readonly { files: readonly string[] }[]): Map<string, number> {
  const found = new Map<string, number>();
  let all = 0;
  for (const [age, { files }] of touches.slice(0, 8).entries()) {
    const weight = 0.5 ** (age / HALF_LIFE_NEWEST);
    all += weight;
    for (const path of files) if (path !== file) found.set(path, (found.get(path) ?? 0) + weight);
  }
  for (const [path, weight] of found) found.set(path, weight / (all + 0.5));
  return found;
}

function throughOthers(file: string, partners: readonly Partner[], changes: ChangeHistory): Map<string, number> {
  const missed = new Map<string, number>();
  for (const bridge of partners.slice(0, MAX_BRIDGES)) {
    for (const beyond of partnersOf(bridge.path, changes).slice(0, MAX_PER_BRIDGE)) {
      if (beyond.path === file) continue;
      const way = Math.min(1, bridge.score) * Math.min(1, beyond.score);
      missed.set(beyond.path, (missed.get(beyond.path) ?? 1) * (1 - way));
    }
  }
  for (const [path, miss] of missed) missed.set(path, 1 - miss);
  return missed;
}

function usualFiles(changes: ChangeHistory): { usual: Map<string, number>; idle: Map<string, number> } {
  const usual = new Map<string, number>();
  const idle = new Map<string, number>();
  let all = 0;
  for (const [age, { files }] of changes.latest(RECENT_CHANGES).entries()) {
    const weight = 0.5 ** (age / HALF_LIFE_USUAL);
    all += weight;
    for (const path of files) {
      usual.set(path, (usual.get(path) ?? 0) + weight);
      if (!idle.has(path)) idle.set(path, age);
    }
  }
  for (const [path, weight] of usual) usual.set(path, weight / (all + 1));
  return { usual, idle };
}

function habitOf(changes: ChangeHistory): number {
  const seen = new Set<string>();
  let pairs = 0;
  let again = 0;
  for (const { files } of changes.latest(FOLDER_CHANGES).toReversed()) {
    const sorted = files.slice(0, MAX_PAIRED).sort();
    for (const [at, a] of sorted.entries()) {
      for (const b of sorted.slice(at + 1)) {
        const pair = `${a}\0${b}`;
        pairs += 1;
        if (seen.has(pair)) again += 1;
        else seen.add(pair);
      }
    }
  }
  return again / (pairs + 10);
}

/** Co-changes of the file's folder, for files with little history of their own. */
function besideFolder(file: string, changes: ChangeHistory): Map<string, number> {
  const found = new Map<string, number>();
  const folder = folderOf(file);
  let all = 0;
  let age = 0;
  for (const { files } of changes.latest(FOLDER_CHANGES)) {
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
