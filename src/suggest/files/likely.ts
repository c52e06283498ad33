/**
 * Which other files will be touched, when some are being worked on. What commits, conversations and the code graph say
 * of each candidate is put into one probability by weights that were fitted on replayed histories (`weights.ts`). Any of
 * the sources may be missing.
 */
import { relatedFiles, type Ties } from "../../code/answers/related.ts";
import { compareText } from "../../kernel/text.ts";
import type { Changes } from "../../project/changes.ts";
import type { CodeReader } from "../../store/code.ts";
import { chanceAt } from "../scale.ts";
import { FEATURE_NAMES, type Feature, featuresOf } from "./features.ts";
import { reasonsFor } from "./reasons.ts";
import { type Together, togetherWith } from "./together.ts";
import { BEND, BIAS, SEVERAL, WEIGHTS } from "./weights.ts";

export interface LikelyFile {
  path: string;
  /** The estimated chance that it is touched too. */
  probability: number;
  /** What speaks for it, the strongest first. */
  reasons: string[];
  /** Commits that changed both, and their share of those that changed the first of the files. */
  changed?: { support: number; confidence: number; last: number };
}

export interface LikelyInput {
  /** What is being worked on, from the project's root, the most important first. */
  files: readonly string[];
  code?: CodeReader;
  commits?: Changes;
  conversations?: Changes;
  /** Files that are gone are no answer. */
  exists?(path: string): boolean;
  limit?: number;
}

/** Of more files the first are taken. */
const MOST_FILES = 5;
const LIMIT = 20;

export function likelyFiles(input: LikelyInput): LikelyFile[] {
  const files = [...new Set(input.files)].slice(0, MOST_FILES);
  const found = new Map<string, Evidence[]>();
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
  const kept: LikelyFile[] = [];
  for (const { best, score } of ranked) {
    if (kept.length >= (input.limit ?? LIMIT)) break;
    if (!best || (input.exists && !input.exists(best.path))) continue;
    kept.push(likelyFile(best, score, input.code));
  }
  return kept;
}

function likelyFile(evidence: Evidence, score: number, code: CodeReader | undefined): LikelyFile {
  const { path, commits } = evidence;
  const answer = {
    path,
    probability: Math.round(chanceAt(score) * 1000) / 1000,
    reasons: reasonsFor(evidence, isCode(code, path)),
  };
  const { support, confidence, last } = commits?.of(path) ?? NONE;
  return support > 0 ? { ...answer, changed: { support, confidence, last } } : answer;
}

const NO_CODE = new Set(["config", "document"]);

/** Of such a file the graph would know an import. */
function isCode(code: CodeReader | undefined, path: string): boolean {
  const language = code?.file(path)?.language;
  return language !== undefined && !NO_CODE.has(language);
}

/** What one file says of another. */
export interface Evidence {
  file: string;
  path: string;
  ties: Ties | undefined;
  /** What speaks for it most, and the commits, where there are any. */
  together: Together;
  commits: Together | undefined;
  features: Record<Feature, number>;
  /** Log-odds. */
  score: number;
}

/** For each candidate what speaks for it most: commits, or conversations; without either, names and the graph alone. */
export function evidenceFor(file: string, { code, commits, conversations }: Omit<LikelyInput, "files">): Evidence[] {
  const row = code?.file(file);
  const ties = code && row ? relatedFiles(code, row) : new Map<string, Ties>();
  const rows = [
    ...(commits ? [togetherWith(file, commits, false)] : []),
    ...(conversations ? [togetherWith(file, conversations, true)] : []),
  ];
  return weigh(file, ties, rows.length === 0 ? [NOTHING] : rows);
}

export function weigh(file: string, ties: ReadonlyMap<string, Ties>, rows: readonly Together[]): Evidence[] {
  const best = new Map<string, Evidence>();
  const commits = rows.find(({ conversations, touches }) => !conversations && touches > 0);
  const candidates = new Set([...rows.flatMap((each) => each.candidates), ...ties.keys()]);
  candidates.delete(file);
  for (const path of candidates) {
    for (const each of rows) {
      const features = featuresOf(file, path, ties.get(path), each);
      const score = scoreOf(features);
      if (score > (best.get(path)?.score ?? Number.NEGATIVE_INFINITY)) {
        best.set(path, { file, path, ties: ties.get(path), together: each, commits, features, score });
      }
    }
  }
  return [...best.values()];
}

const NONE = {
  rank: 0,
  share: 0,
  support: 0,
  confidence: 0,
  last: 0,
  newest: 0,
  back: 0,
  through: 0,
  usual: 0,
  idle: 0,
  beside: 0,
};
const NOTHING: Together = {
  conversations: false,
  touches: 0,
  size: 0,
  best: 0,
  habit: 0,
  candidates: [],
  of: () => NONE,
};

function scoreOf(features: Record<Feature, number>): number {
  let score = BIAS;
  for (const name of FEATURE_NAMES) score += WEIGHTS[name] * features[name];
  return BEND.bias + BEND.slope * score + BEND.bend * Math.max(0, score - BEND.from);
}

/** Of several files each says something of a candidate; of one alone it is that. */
function combined(best: number, second: number | undefined, files: number): number {
  if (files === 1) return best;
  return SEVERAL.bias + SEVERAL.best * best + SEVERAL.second * (second ?? best);
}
