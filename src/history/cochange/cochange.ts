/**
 * Co-changes: ranks the files that earlier commits changed together with a file by the chance that its next change
 * changes them too. `bench/history/cochange.ts` measures the same function.
 */
import type { HistoryReader } from "../../store/history.ts";
import { MAX_COCHANGE_FILES, type Touch } from "../../store/history_records.ts";

export interface Partner {
  path: string;
  /** Commits that changed both. */
  support: number;
  /** The share of the file's commits that changed the partner too. */
  confidence: number;
  /** The ranking score: the share, with newer and smaller commits weighing more, smoothed towards the base rate. */
  score: number;
  /** The time of the last commit that changed both. */
  last: number;
}

/** Per file. */
const MAX_COMMITS = 300;

export interface CoChangeOptions {
  /** After this many commits of the file, a commit counts half. */
  halfLife: number;
  /** Pseudo-observations at the partner's base rate. */
  prior: number;
  /** The weight of similar names and folders. */
  likeness: number;
}

export const COCHANGE: CoChangeOptions = { halfLife: 20, prior: 2, likeness: 0.6 };

export function coChanges(reader: HistoryReader, path: string, limit: number): Partner[] {
  const touches = reader.touches(path, MAX_COCHANGE_FILES, MAX_COMMITS);
  const near = new Set(touches.flatMap(({ files }) => files));
  const counts = reader.touchCounts([...near]);
  const now = touches.find(({ files }) => files.includes(path)) ? path : (nameNow(reader, path) ?? path);
  return rankPartners(now, touches, (other) => counts.get(other) ?? 0, reader.commitCount()).slice(0, limit);
}

/** The current name of a file that is given by an earlier name. */
function nameNow(reader: HistoryReader, path: string): string | undefined {
  return reader.commitsOf(path, 1)[0]?.path;
}

/** `touches`: commits that changed the file, the latest first. `countOf`: the number of commits of another file. */
export function rankPartners(
  path: string,
  touches: readonly Touch[],
  countOf: (path: string) => number,
  commits: number,
  options: CoChangeOptions = COCHANGE,
): Partner[] {
  const found = new Map<string, { support: number; weight: number; last: number }>();
  let all = 0;
  for (const [age, { time, files }] of touches.entries()) {
    const recent = 0.5 ** (age / options.halfLife);
    all += recent;
    // In a larger commit each pair is less likely to be related.
    const weight = recent / Math.log2(1 + Math.max(2, files.length)) ** 0.5;
    for (const other of files) {
      if (other === path) continue;
      const known = found.get(other) ?? { support: 0, weight: 0, last: time };
      found.set(other, {
        support: known.support + 1,
        weight: known.weight + weight,
        last: Math.max(known.last, time),
      });
    }
  }
  const ranked = Array.from(found, ([other, { support, weight, last }]): Partner => {
    const usual = countOf(other) / Math.max(1, commits);
    const share = (weight + options.prior * usual) / (all + options.prior);
    const score = share * (1 + options.likeness * pathSimilarity(path, other));
    return { path: other, support, confidence: support / touches.length, score, last };
  });
  return ranked.sort((a, b) => b.score - a.score || b.last - a.last || (a.path < b.path ? -1 : 1));
}

/** Similarity of two paths from 0 to 1: the same folder, and the same stem (`rank.ts`, `rank.test.ts`, `docs/rank.md`). */
export function pathSimilarity(a: string, b: string): number {
  const foldersA = a.split("/").slice(0, -1);
  const foldersB = b.split("/").slice(0, -1);
  let shared = 0;
  while (shared < foldersA.length && shared < foldersB.length && foldersA[shared] === foldersB[shared]) shared += 1;
  const longest = Math.max(foldersA.length, foldersB.length);
  const folders = longest === 0 ? 1 : shared / longest;
  return stem(a) === stem(b) ? 1 : 0.5 * folders;
}

function stem(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return name
    .replace(/\.[^.]+$/, "")
    .replace(/[._-](?:test|tests|spec|stories|d|mock)$/, "")
    .replace(/^test[_-]/, "");
}
