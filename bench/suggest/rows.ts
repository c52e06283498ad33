/**
 * The questions of a replayed history with all candidates and the evidence for each, once for the fit and once for the
 * measurement.
 */
import { readFileNames, storedFileNames } from "../../src/code/answers/file_names.ts";
import { languageOf } from "../../src/code/languages/registry.ts";
import { skipByName } from "../../src/code/listing/skip.ts";
import type { FileEvidence } from "../../src/suggest/files/features.ts";
import { FEATURE_NAMES } from "../../src/suggest/files/features.ts";
import { evidenceFor } from "../../src/suggest/files/likely.ts";
import { PROMPT_FEATURE_NAMES } from "../../src/suggest/files/prompt/features.ts";
import { type PromptEvidence, type PromptInput, promptEvidence } from "../../src/suggest/files/prompt/prompt_files.ts";
import { reasonsFor } from "../../src/suggest/files/reasons.ts";
import { hasContent } from "../../src/suggest/prompt_content.ts";
import { estimateTokens } from "../../src/tokens/estimate.ts";
import { type Question, replayHistory } from "./replay.ts";

/** One question with its candidates. */
export interface Asked {
  /** The history or project of the question. */
  set: string;
  /** The commit or session. */
  unit: number;
  /** Queried with the first file of the commit or session. */
  first: boolean;
  /** Questions of the same commit or session: together they count as one. */
  siblings: number;
  /** The files to find. */
  gold: number;
  /** A prompt without content of its own: nothing is pushed for it. */
  silent?: boolean;
  candidates: Candidate[];
}

export interface Candidate {
  path: string;
  right: boolean;
  /** The tokens that naming it with its reasons takes. */
  tokens: number;
  features: Float32Array;
  /** Of a prompt: its score is shrunk further. */
  isDoubtful?: boolean;
  /** By baseline: higher is better, 0 no answer. */
  others: Readonly<Record<Other, number>>;
}

export const OTHERS = [
  "import graph alone",
  "pairs alone, by confidence",
  "dex, co-change",
  "weights set by hand",
] as const;
export type Other = (typeof OTHERS)[number];

export interface History {
  name: string;
  folder: string;
}

/** The questions of one history. */
export interface Replayed {
  /** Each file of a commit; the answers are its other files. */
  files: Asked[];
  /** The subject of each commit as a prompt; the answers are its files. Only these show the value of the code's words. */
  subjects: Asked[];
  /** The same without a code graph: the names of the files are known. */
  named: Asked[];
}

const STEP = 25;
const WARM = 15;
/** `commits`: the number of the last commits that are asked about. */
export async function replayedOf({ name, folder }: History, commits: number): Promise<Replayed> {
  const found: Replayed = { files: [], subjects: [], named: [] };
  await replayHistory(folder, { step: STEP, warm: WARM, most: commits }, (question) => {
    found.files.push(...fileQuestions(name, question));
    const names = readFileNames(storedFileNames(readable(question.paths())));
    found.subjects.push(subjectQuestion(name, question, { code: question.code }));
    found.named.push(subjectQuestion(name, question, { names }));
  });
  return found;
}

function fileQuestions(set: string, { commit, known, code, commits, exists }: Question): Asked[] {
  return known.map((file, at) => {
    const gold = new Set(known.filter((path) => path !== file));
    const evidence = evidenceFor(file, { code, commits }).filter(({ path }) => exists(path));
    const candidates = evidence.map((each) => candidateOf(each, gold.has(each.path)));
    return { set, unit: commit, first: at === 0, siblings: known.length, gold: gold.size, candidates };
  });
}

/** Files that dex reads, with their language. */
function readable(paths: readonly string[]): { path: string; language: string }[] {
  return paths.flatMap((path) => {
    const language = languageOf(path);
    return language === undefined || skipByName(path, 0) !== undefined ? [] : [{ path, language }];
  });
}

/** `said`: the text of a file whose tokens count. */
export function promptCandidates(
  evidence: readonly PromptEvidence[],
  wanted: ReadonlySet<string>,
  said: (path: string) => string = (path) => path,
): Candidate[] {
  return evidence.map(({ path, features, isDoubtful }) => ({
    path,
    isDoubtful,
    right: wanted.has(path),
    tokens: estimateTokens(said(path)),
    features: Float32Array.from(PROMPT_FEATURE_NAMES, (name) => features[name]),
    others: NO_OTHERS,
  }));
}

function subjectQuestion(
  set: string,
  { commit, subject, known, commits, exists }: Question,
  from: Pick<PromptInput, "code" | "names">,
): Asked {
  const wanted = new Set(known);
  const prompt = plainSubject(subject);
  const evidence = promptEvidence({ prompt, ...from, commits, exists }).filter(({ path }) => exists(path));
  const candidates = promptCandidates(evidence, wanted);
  const silent = !hasContent(prompt);
  return { set, unit: commit, first: true, siblings: 1, gold: wanted.size, silent, candidates };
}

/** The subject in plain words, without `type(scope):` and the number of a pull request. */
function plainSubject(subject: string): string {
  const [, rest = subject] = /^\w+(?:\([^)]*\))?!?:\s*(.*)$/.exec(subject) ?? [];
  return rest.replace(/\(#\d+\)\s*$/, "").trim();
}

export const NO_OTHERS: Readonly<Record<Other, number>> = {
  "import graph alone": 0,
  "pairs alone, by confidence": 0,
  "dex, co-change": 0,
  "weights set by hand": 0,
};

export function candidateOf(evidence: FileEvidence, right: boolean): Candidate {
  const { path, features } = evidence;
  const line = `${path}: ${reasonsFor(evidence, true).join("; ")}`;
  return {
    path,
    right,
    tokens: estimateTokens(line),
    features: Float32Array.from(FEATURE_NAMES, (name) => features[name]),
    others: othersOf(evidence),
  };
}

function othersOf({ path, ties, stats, features }: FileEvidence): Record<Other, number> {
  const { support, confidence, last, share } = stats.of(path);
  const linked = (ties?.imported ? 1 : 0) + (ties?.importer ? 1 : 0) + (ties?.tests ?? 0) + (ties?.tested ?? 0);
  const likeness = features.stem > 0 ? 1 : 0.5 * features.folder;
  const cochange = support > 0 ? share * (1 + 0.6 * likeness) : 0;
  let missed = 1 - 0.8 * Math.min(1, cochange);
  const by = (weight: number): void => {
    missed *= 1 - weight;
  };
  if (ties?.imported) by(0.5);
  if (ties?.importer) by(0.4);
  by(0.8 * (ties?.tests ?? 0));
  by(0.8 * (ties?.tested ?? 0));
  if (ties?.sameName) by(0.6);
  if (ties?.sameFolder) by(0.15);
  by(0.3 * (ties?.near ?? 0));
  return {
    "import graph alone": linked > 0 || (ties?.near ?? 0) > 0 ? linked + (ties?.near ?? 0) : 0,
    // Ties by the latest change together; the share of time is too small to change the order otherwise.
    "pairs alone, by confidence": support > 0 ? confidence + last * 1e-17 : 0,
    "dex, co-change": cochange,
    "weights set by hand": 1 - missed,
  };
}
