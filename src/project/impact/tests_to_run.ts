/** The test files that a diff may break, ranked by the evidence that they test the changed code. */
import type { Reached } from "../../code/answers/reach.ts";
import { isTestPath, nameParts, stem } from "../../code/test_paths.ts";
import { COCHANGE, rankPartners } from "../../history/cochange/cochange.ts";
import { compareText } from "../../kernel/text.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";
import type { ChangeHistory } from "../changes.ts";
import type { ChangedFile } from "./changed_files.ts";
import { matchChangedWords } from "./changed_words.ts";

export interface TestToRun {
  path: string;
  /** The estimated probability that a commit with this change also changes the test; 1 if it is part of the diff. */
  score: number;
  why: string;
  /** It only shares words, a part of its name or some commits with the change. */
  isGuess: boolean;
}

export interface Diff {
  root: string;
  store: CodeReader;
  files: readonly ChangedFile[];
  /** The name of a changed definition in the reasons: "it", "a changed symbol". */
  subject: string;
  /** The changed definitions, and all that may be affected by them. */
  symbols: readonly EntityRow[];
  reached: readonly Reached[];
  /** Absent without a git history. */
  commits: ChangeHistory | undefined;
}

/** Every value is between 0 and 1. */
export interface TestEvidence {
  path: string;
  /** It is in the diff itself. */
  isChanged: boolean;
  /** How surely the graph leads from the changed definitions to the test. */
  graph: number;
  /** The share of a changed file's name that the test's name has. */
  name: number;
  /** How often commits that changed the changed files changed the test; undefined if too few did. */
  together: number | undefined;
  /** The share of the words in the changed lines that the test has. */
  words: number;
  /** The reasons, the best first. */
  reasons: readonly string[];
}

const THROUGH_USER = 0.7;
const MIN_SCORE = 0.03;
/**
 * A test is listed, regardless of its score, if the graph leads to it with this certainty, if this share of the commits
 * changed it, or if it is named after a changed file.
 */
const MIN_GRAPH = 0.15;
const MIN_SHARE = 0.25;
/** The weight of a name if a file of that name is in the test's own folder, and is not the changed one. */
const OF_ANOTHER = 0.5;
const MAX_REASONS = 2;
/** A partner in fewer commits may be a coincidence, and is not a reason to show. */
const MIN_TOGETHER = 2;
/** The least commits of a changed file for which it means something that a test did not change with it. */
const MIN_COMMITS = 5;

interface Weights {
  bias: number;
  graph: number;
  name: number;
  together: number;
  words: number;
}

/** Fitted by `bench/code/impact.ts --fit`; `none` is for files without enough commits. */
const WEIGHTS: { history: Weights; none: Weights } = {
  history: { bias: -0.01, graph: 1.58, name: 2.29, together: 0.81, words: 0.94 },
  none: { bias: -2.29, graph: 2.16, name: 3.09, together: 0, words: 1.23 },
};
/** Keeps the logarithm of an absent share finite. */
const SHARE_FLOOR = 0.02;

/** The likeliest first. */
export function rankedTests(evidence: readonly TestEvidence[], weights = WEIGHTS): TestToRun[] {
  return evidence
    .map((each) => ({ ...each, score: scoreOf(each, weights) }))
    .filter((each) => each.score >= MIN_SCORE || isPlain(each))
    .sort((a, b) => b.score - a.score || compareText(a.path, b.path))
    .map((each) => ({
      path: each.path,
      score: Math.round(each.score * 100) / 100,
      why: each.reasons.join("; "),
      isGuess: !each.isChanged && !isPlain(each),
    }));
}

/** Whether one kind of evidence alone is enough. */
function isPlain({ graph, name, together = 0 }: TestEvidence): boolean {
  return graph >= MIN_GRAPH || name === 1 || together >= MIN_SHARE;
}

function scoreOf(evidence: TestEvidence, { history, none }: typeof WEIGHTS): number {
  if (evidence.isChanged) return 1;
  const weights = evidence.together === undefined ? none : history;
  const { graph, name, together, words } = testFeatures(evidence);
  const sum =
    weights.bias + weights.graph * graph + weights.name * name + weights.together * together + weights.words * words;
  return 1 / (1 + Math.exp(-sum));
}

/** The evidence as the weights take it. */
export function testFeatures({ graph, name, together = 0, words }: TestEvidence) {
  return { graph, name, together: Math.log(together + SHARE_FLOOR), words: Math.log(words + SHARE_FLOOR) };
}

/** The evidence for every test file that has any. */
export function testEvidence(diff: Diff): TestEvidence[] {
  const { root, store, files } = diff;
  const graph = graphEvidence(diff);
  const names = nameEvidence(diff);
  const together = coChangeEvidence(diff);
  const changed = new Set(files.map(({ path }) => path));
  const tests = store.files().filter(({ test }) => test);
  const known = (path: string): number =>
    Number(graph.has(path)) + Number(names.has(path)) + Number(together?.has(path) ?? false);
  const words = matchChangedWords(
    root,
    files,
    tests.map(({ path }) => path).sort((a, b) => known(b) - known(a) || compareText(a, b)),
  );
  return tests.flatMap(({ path, no }) => {
    const isChanged = changed.has(path);
    const matched = words.get(path);
    const reasons = [
      isChanged ? "changed" : undefined,
      graph.get(path)?.why,
      names.get(path)?.why,
      together?.get(path)?.why,
      matched && matched.words.length > 0 ? `mentions ${matched.words.join(", ")}` : undefined,
    ].filter((why) => why !== undefined);
    if (reasons.length === 0 || !store.entities(no).some(({ kind }) => kind === "test")) return [];
    return [
      {
        path,
        isChanged,
        graph: graph.get(path)?.value ?? 0,
        name: names.get(path)?.value ?? 0,
        together: together && (together.get(path)?.value ?? 0),
        words: matched?.share ?? 0,
        reasons: reasons.slice(0, isChanged ? 1 : MAX_REASONS),
      },
    ];
  });
}

interface Reason {
  value: number;
  why: string | undefined;
}

function strengthen(found: Map<string, Reason>, path: string, value: number, why: string): void {
  if (value > (found.get(path)?.value ?? 0)) found.set(path, { value, why });
}

/** Tests of the changed definitions, users in test files, and tests of users. */
function graphEvidence({ store, symbols, reached, subject }: Diff): Map<string, Reason> {
  const found = new Map<string, Reason>();
  for (const entity of symbols)
    for (const { entity: test, edge } of store.incoming(entity.no, ["TESTS"]))
      if (edge.resolution !== "ambiguous") strengthen(found, test.path, edge.confidence, `tests ${entity.qualified}`);
  for (const { linked, certainty } of reached) {
    const { entity } = linked;
    if (isTestPath(entity.path)) {
      strengthen(found, entity.path, certainty, `uses ${subject}`);
      continue;
    }
    for (const { entity: test, edge } of store.incoming(entity.no, ["TESTS"]))
      if (edge.resolution !== "ambiguous") {
        const why = `tests ${entity.qualified}, which uses ${subject}`;
        strengthen(found, test.path, certainty * edge.confidence * THROUGH_USER, why);
      }
  }
  return found;
}

function nameEvidence({ store, files }: Diff): Map<string, Reason> {
  const found = new Map<string, Reason>();
  const changed = files.flatMap(({ path }) => (isTestPath(path) ? [] : [{ path, parts: new Set(nameParts(path)) }]));
  const all = store.files();
  const beside = new Map(all.flatMap(({ path, test }) => (test ? [] : [[besideKey(path), path] as const])));
  for (const { path, test } of all) {
    if (!test) continue;
    const own = new Set(nameParts(path));
    const tested = beside.get(besideKey(path));
    for (const { path: other, parts } of changed) {
      const share = parts.intersection(own).size / Math.max(1, parts.size, own.size);
      const isOfAnother = tested !== undefined && tested !== other;
      const value = isOfAnother ? share * OF_ANOTHER : share;
      if (share > 0) strengthen(found, path, value, value === 1 ? `named after ${other}` : `its name is like ${other}`);
    }
  }
  return found;
}

/** A key that a test shares with the file of its name in the same folder. */
function besideKey(path: string): string {
  return `${path.slice(0, path.lastIndexOf("/") + 1)}${stem(path)}`;
}

/** Undefined if too few commits changed the files. */
function coChangeEvidence({ files, commits }: Diff): Map<string, Reason> | undefined {
  const changed = files.filter(
    ({ oldPath }) => !isTestPath(oldPath) && (commits?.touches(oldPath).length ?? 0) >= MIN_COMMITS,
  );
  if (!commits || changed.length === 0) return undefined;
  const found = new Map<string, Reason & { support: number }>();
  for (const { oldPath: path } of changed) {
    const touches = commits.touches(path);
    const options = { ...COCHANGE, likeness: 0 };
    for (const partner of rankPartners(path, touches, (other) => commits.count(other), commits.total(), options)) {
      const before = found.get(partner.path) ?? { value: 0, support: 0, why: undefined };
      const value = 1 - (1 - before.value) * (1 - Math.min(1, partner.score));
      const why =
        partner.support >= Math.max(MIN_TOGETHER, before.support + 1)
          ? `${partner.support} of ${touches.length} commits to ${path} changed it`
          : before.why;
      found.set(partner.path, { value, why, support: Math.max(before.support, partner.support) });
    }
  }
  return found;
}
