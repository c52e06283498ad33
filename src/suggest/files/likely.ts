/**
 * Predicts which other files will be edited, given the files being edited. Evidence from commits, conversations and the
 * code graph becomes one probability by weights fitted on replayed histories (`weights.ts`). Any source may be missing.
 */
import { relatedFiles, type Ties } from "../../code/answers/related.ts";
import { compareText } from "../../kernel/text.ts";
import type { ChangeHistory } from "../../project/changes.ts";
import type { CodeReader } from "../../store/code.ts";
import { chanceAt } from "../scale.ts";
import { type CoChangeStats, coChangeStats } from "./cochange_stats.ts";
import { FEATURE_NAMES, type Feature, type FileEvidence, featuresOf } from "./features.ts";
import { reasonsFor } from "./reasons.ts";
import { BIAS, SEVERAL, WEIGHTS } from "./weights.ts";

export interface LikelyFile {
  path: string;
  /** The estimated chance that it is edited too. */
  probability: number;
  /** In words, the strongest first. */
  reasons: string[];
  /** The file that the reasons are about, if there were several. */
  of?: string;
  /** Commits that changed both, and their share of those that changed the first of the files. */
  changed?: { support: number; confidence: number; last: number };
}

export interface LikelyInput {
  /** The files being edited, relative to the project root, the most important first. */
  files: readonly string[];
  code?: CodeReader;
  commits?: ChangeHistory;
  conversations?: ChangeHistory;
  /** Deleted files are left out. */
  exists?(path: string): boolean;
  limit?: number;
}

/** Input files beyond these are ignored. */
const MAX_FILES = 5;
const DEFAULT_LIMIT = 20;

export function likelyFiles(input: LikelyInput): LikelyFile[] {
  const files = [...new Set(input.files)].slice(0, MAX_FILES);
  const found = new Map<string, FileEvidence[]>();
  for (const file of files) {
    for (const evidence of evidenceFor(file, input)) {
      if (files.includes(evidence.path)) continue;
      const known = found.get(evidence.path);
      if (known) known.push(evidence);
      else found.set(evidence.path, [evidence]);
    }
  }
  const ranked = Array.from(found.values(), (evidence) => {
    const [best, second] = evidence.sort((a, b) => b.score - a.score);
    return { best, score: combined(best?.score ?? 0, second?.score, files.length) };
  }).sort((a, b) => b.score - a.score || compareText(a.best?.path ?? "", b.best?.path ?? ""));
  const answer: LikelyFile[] = [];
  for (const { best, score } of ranked) {
    if (answer.length >= (input.limit ?? DEFAULT_LIMIT)) break;
    if (!best || (input.exists && !input.exists(best.path))) continue;
    const found = likelyFile(best, score, input.code);
    answer.push(files.length > 1 ? { ...found, of: best.file } : found);
  }
  return answer;
}

function likelyFile(evidence: FileEvidence, score: number, code: CodeReader | undefined): LikelyFile {
  const { path, commits } = evidence;
  const answer = {
    path,
    probability: Math.round(chanceAt(score) * 1000) / 1000,
    reasons: reasonsFor(evidence, isCode(code, path)),
  };
  const { support, confidence, last } = commits?.of(path) ?? NO_PAIR;
  return support > 0 ? { ...answer, changed: { support, confidence, last } } : answer;
}

const NON_CODE_LANGUAGES = new Set(["config", "document"]);

/** Whether the graph records the imports of the file, so that a missing import is evidence. */
function isCode(code: CodeReader | undefined, path: string): boolean {
  const language = code?.file(path)?.language;
  return language !== undefined && !NON_CODE_LANGUAGES.has(language);
}

/** Scores each candidate by its stronger source, commits or conversations; without either, by names and the graph. */
export function evidenceFor(
  file: string,
  { code, commits, conversations }: Omit<LikelyInput, "files">,
): FileEvidence[] {
  const row = code?.file(file);
  const ties = code && row ? relatedFiles(code, row) : new Map<string, Ties>();
  const rows = [
    ...(commits ? [coChangeStats(file, commits, false)] : []),
    ...(conversations ? [coChangeStats(file, conversations, true)] : []),
  ];
  return weighCandidates(file, ties, rows.length === 0 ? [NO_STATS] : rows);
}

export function weighCandidates(
  file: string,
  ties: ReadonlyMap<string, Ties>,
  rows: readonly CoChangeStats[],
): FileEvidence[] {
  const best = new Map<string, FileEvidence>();
  const commits = rows.find(({ conversations, touches }) => !conversations && touches > 0);
  const candidates = new Set([...rows.flatMap((each) => each.candidates), ...ties.keys()]);
  candidates.delete(file);
  for (const path of candidates) {
    for (const each of rows) {
      const features = featuresOf(file, path, ties.get(path), each);
      const score = scoreOf(features);
      if (score > (best.get(path)?.score ?? Number.NEGATIVE_INFINITY)) {
        best.set(path, { file, path, ties: ties.get(path), stats: each, commits, features, score });
      }
    }
  }
  return [...best.values()];
}

const NO_PAIR = {
  rank: 0,
  share: 0,
  support: 0,
  confidence: 0,
  last: 0,
  newest: 0,
  latest: 0,
  back: 0,
  usual: 0,
  idle: 0,
  usualWith: 0,
  beside: 0,
  toFolder: 0,
};
const NO_STATS: CoChangeStats = {
  conversations: false,
  touches: 0,
  alone: 0,
  current: 0,
  candidates: [],
  of: () => NO_PAIR,
};

function scoreOf(features: Record<Feature, number>): number {
  let score = BIAS;
  for (const name of FEATURE_NAMES) score += WEIGHTS[name] * features[name];
  return shrunk(score);
}

/**
 * Weights fitted on some projects are overconfident in others, increasingly so for high scores. So scores above
 * `SHRINK.from` grow more slowly; docs/internals/quality/suggestions.md has the reliability table of projects outside
 * the fit.
 */
export function shrunk(score: number, slope: number = SHRINK.slope): number {
  return score <= SHRINK.from ? score : SHRINK.from + slope * (score - SHRINK.from);
}

const SHRINK = { from: -1, slope: 0.65 };

/** Combines the two best scores if several files are being edited. */
function combined(best: number, second: number | undefined, files: number): number {
  if (files === 1) return best;
  return SEVERAL.bias + SEVERAL.best * best + SEVERAL.second * (second ?? best);
}
