/**
 * The numeric features of a candidate file, given a file being edited. A feature is 0 if its source is missing, which
 * lets a model fitted with all of them work with few.
 */
import { wordsOfName } from "../../code/answers/file_names.ts";
import type { Ties } from "../../code/answers/related.ts";
import { isTestPath, stem } from "../../code/test_paths.ts";
import type { CoChangeStats } from "./cochange_stats.ts";

/** True: the fit must not give this feature a negative weight. */
export const FEATURES = {
  share: true,
  level: true,
  rank: true,
  newest: true,
  latest: true,
  support: true,
  back: true,
  usual: true,
  recent: true,
  usualWith: true,
  beside: true,
  toFolder: true,
  company: true,
  current: false,
  unknown: false,
  conversations: false,
  imported: true,
  importer: true,
  tests: true,
  tested: true,
  documents: true,
  near: true,
  stem: true,
  words: true,
  folder: true,
  testFile: false,
  textFile: false,
  testPair: false,
  textPair: false,
} as const;
export type Feature = keyof typeof FEATURES;
export const FEATURE_NAMES = Object.keys(FEATURES) as readonly Feature[];

/** The evidence that one file gives for another. */
export interface FileEvidence {
  file: string;
  path: string;
  ties: Ties | undefined;
  /** The stronger of the two sources; or the commits, if there are any. */
  stats: CoChangeStats;
  commits: CoChangeStats | undefined;
  features: Record<Feature, number>;
  /** Log-odds. */
  score: number;
}

export function featuresOf(
  file: string,
  candidate: string,
  ties: Ties | undefined,
  stats: CoChangeStats,
): Record<Feature, number> {
  const pair = stats.of(candidate);
  const { share, rank, support, newest, latest, back, usual, idle, usualWith, beside, toFolder } = pair;
  const sameStem = stem(file) === stem(candidate) && stem(file) !== "index" ? 1 : 0;
  return {
    share: odds(share),
    level: share,
    rank,
    newest: evidenceOdds(newest),
    latest,
    support: Math.log1p(support),
    back,
    usual: evidenceOdds(usual),
    recent: 1 / (1 + idle),
    usualWith: evidenceOdds(usualWith),
    beside: evidenceOdds(beside),
    toFolder: evidenceOdds(toFolder),
    company: Math.log(1 - Math.min(MAX_ALONE, stats.alone)),
    current: stats.current,
    unknown: stats.touches === 0 ? 1 : 0,
    conversations: stats.conversations ? 1 : 0,
    imported: ties?.imported ? 1 : 0,
    importer: ties?.importer ? 1 : 0,
    tests: ties?.tests ?? 0,
    tested: ties?.tested ?? 0,
    documents: Math.max(ties?.documents ?? 0, ties?.documented ?? 0),
    near: ties?.near ?? 0,
    stem: sameStem,
    words: sharedWords(file, candidate),
    folder: folderLikeness(file, candidate),
    testFile: isTestPath(candidate) ? 1 : 0,
    textFile: isText(candidate) ? 1 : 0,
    testPair: isTestPath(candidate) === isTestPath(file) ? 0 : 1,
    textPair: isText(candidate) === isText(file) ? 0 : 1,
  };
}

/** Smaller shares count as none. */
const MIN_SHARE = 0.002;
const MAX_SHARE = 0.99;
const MIN_EVIDENCE = 0.02;
const MAX_EVIDENCE = 0.95;
const MAX_ALONE = 0.95;

/** Log-odds above those of the smallest share: 0 for none. */
function odds(share: number): number {
  return boundedLogit(share) - boundedLogit(0);
}

/**
 * Log-odds of a share that overlaps with the pair's own share; bounded, so that several of them do not add up to
 * certainty.
 */
export function evidenceOdds(share: number): number {
  return boundedLogit(share, MIN_EVIDENCE, MAX_EVIDENCE) - boundedLogit(0, MIN_EVIDENCE, MAX_EVIDENCE);
}

function boundedLogit(p: number, least = MIN_SHARE, most = MAX_SHARE): number {
  const bounded = Math.min(most, Math.max(least, p));
  return Math.log(bounded / (1 - bounded));
}

function isText(path: string): boolean {
  return /\.(?:md|mdx|rst|txt|adoc)$/i.test(path);
}

/** The share of folders common to both paths, from 0 to 1. */
function folderLikeness(a: string, b: string): number {
  const left = a.split("/").slice(0, -1);
  const right = b.split("/").slice(0, -1);
  const longest = Math.max(left.length, right.length);
  let shared = 0;
  while (shared < longest && left[shared] === right[shared]) shared += 1;
  return longest === 0 ? 1 : shared / longest;
}

/** The share of words that two file names have in common: `code_history.ts` and `codeMap.ts` have one of three. */
export function sharedWords(a: string, b: string): number {
  const left = wordsOfName(a);
  const right = wordsOfName(b);
  let shared = 0;
  for (const word of left) if (right.has(word)) shared += 1;
  const all = left.size + right.size - shared;
  return all === 0 ? 0 : shared / all;
}
