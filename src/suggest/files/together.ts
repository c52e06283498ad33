/** What a row of changes says of the files that change with one. */
import { COCHANGE, type Partner, rankPartners } from "../../history/cochange.ts";
import type { Changes } from "../../project/changes.ts";

export interface Pair {
  /** 1 for the partner of the highest share, 1/2 for the next, 0 for none. */
  rank: number;
  /** The smoothed share of the file's changes that change the other too; without any, how usual it is to change it. */
  share: number;
  support: number;
  confidence: number;
  last: number;
  /** The share among the file's last changes. */
  newest: number;
  /** Of the other's changes, the share that change the file. */
  back: number;
  /** By way of a third file that changes with both. */
  through: number;
  /** How often the last changes of the project touched the other, and how many are since the last of them. */
  usual: number;
  idle: number;
  /** Of the last changes in the file's folder, the share that changed the other. */
  beside: number;
}

export interface Together {
  conversations: boolean;
  /** Changes of the file, and how many other files each has on average. */
  touches: number;
  size: number;
  /** The share of the partner that changes with it most. */
  best: number;
  /** Of the pairs that the project's last changes made, the share that earlier ones had made: how far habits hold. */
  habit: number;
  /** Files that may change with it. */
  candidates: readonly string[];
  of(path: string): Pair;
}

const PARTNERS = 80;
const BRIDGES = 6;
const BEYOND = 15;
const LATEST = 40;
/** Changes that are looked through for what goes with a folder. */
const LATEST_BESIDE = 100;
const BESIDE = 20;
/** Files of one change of which pairs are made. */
const MOST_PAIRED = 10;
const USUAL = 25;
const HALF_LIFE_NEWEST = 2;
const HALF_LIFE_USUAL = 10;
const HALF_LIFE_BESIDE = 15;

export function togetherWith(file: string, changes: Changes, conversations: boolean): Together {
  const touches = changes.touches(file);
  const total = changes.total();
  const partners = partnersOf(file, changes);
  const byPath = new Map(partners.map((partner, at) => [partner.path, { ...partner, rank: 1 / (1 + at) }]));
  const newest = newestShares(file, touches);
  const through = throughOthers(file, partners, changes);
  const { usual, idle } = usualFiles(changes);
  const latest = changes.latest(LATEST);
  const sizes = (touches.length > 0 ? touches : latest).map(({ files }) => files.length - 1);
  const size = sizes.length === 0 ? 0 : sizes.reduce((sum, each) => sum + each, 0) / sizes.length;
  const beside = besideFolder(file, changes);
  const candidates = new Set([...byPath.keys(), ...through.keys(), ...most(usual, USUAL), ...most(beside, BESIDE)]);
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
        idle: idle.get(path) ?? LATEST,
        beside: beside.get(path) ?? 0,
      };
    },
  };
}

const OPTIONS = { ...COCHANGE, likeness: 0 };

function partnersOf(file: string, changes: Changes): Partner[] {
  return rankPartners(file, changes.touches(file), (path) => changes.count(path), changes.total(), OPTIONS).slice(
    0,
    PARTNERS,
  );
}

/** As `rankPartners` has it for a partner that never changed with the file. */
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

function throughOthers(file: string, partners: readonly Partner[], changes: Changes): Map<string, number> {
  const missed = new Map<string, number>();
  for (const bridge of partners.slice(0, BRIDGES)) {
    for (const beyond of partnersOf(bridge.path, changes).slice(0, BEYOND)) {
      if (beyond.path === file) continue;
      const way = Math.min(1, bridge.score) * Math.min(1, beyond.score);
      missed.set(beyond.path, (missed.get(beyond.path) ?? 1) * (1 - way));
    }
  }
  for (const [path, miss] of missed) missed.set(path, 1 - miss);
  return missed;
}

function usualFiles(changes: Changes): { usual: Map<string, number>; idle: Map<string, number> } {
  const usual = new Map<string, number>();
  const idle = new Map<string, number>();
  let all = 0;
  for (const [age, { files }] of changes.latest(LATEST).entries()) {
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

function habitOf(changes: Changes): number {
  const seen = new Set<string>();
  let pairs = 0;
  let again = 0;
  for (const { files } of changes.latest(LATEST_BESIDE).toReversed()) {
    const sorted = files.slice(0, MOST_PAIRED).sort();
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

/** A file with little past of its own has that of its folder. */
function besideFolder(file: string, changes: Changes): Map<string, number> {
  const found = new Map<string, number>();
  const folder = folderOf(file);
  let all = 0;
  let age = 0;
  for (const { files } of changes.latest(LATEST_BESIDE)) {
    const within = files.filter((path) => folderOf(path) === folder);
    if (within.length === 0) continue;
    const weight = 0.5 ** (age / HALF_LIFE_BESIDE);
    age += 1;
    all += weight;
    // A file is not beside itself: it counts for itself only where another one of its folder changed.
    for (const path of files) {
      if (path !== file && (within.length > 1 || path !== within[0])) found.set(path, (found.get(path) ?? 0) + weight);
    }
  }
  for (const [path, weight] of found) found.set(path, weight / (all + 1));
  return found;
}

function most(shares: ReadonlyMap<string, number>, limit: number): string[] {
  return [...shares]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, limit)
    .map(([path]) => path);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
