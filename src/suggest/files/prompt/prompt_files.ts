/**
 * Predicts which files a prompt will lead to, from the paths and symbols it names, matches of its words in the code,
 * files that similar past conversations edited, and co-changed files. Where the code is not indexed, the words of paths
 * take the place of the code. The weights were fitted on the first prompts of real sessions and on commit messages
 * (`weights.ts`). Any source may be missing.
 */
import { type FileNames, fileNamesOf } from "../../../code/answers/file_names.ts";
import { isTestPath } from "../../../code/test_paths.ts";
import { compareText } from "../../../kernel/text.ts";
import type { ChangeHistory } from "../../../project/changes.ts";
import type { CodeReader } from "../../../store/code.ts";
import { fullness } from "../../prompt_content.ts";
import { chanceAt } from "../../scale.ts";
import { evidenceOdds } from "../features.ts";
import { type LikelyFile, shrunk } from "../likely.ts";
import { isAboutTests, testedFile } from "../tested_file.ts";
import { PROMPT_NAMES_WEIGHTS, PROMPT_WEIGHTS } from "../weights.ts";
import { PROMPT_FEATURE_NAMES, PROMPT_FEATURES, type PromptFeature, type PromptWeights } from "./features.ts";
import { matchPrompt, type PromptMatch } from "./match.ts";
import { type NameMatch, nameMatches } from "./name_match.ts";
import { definingFiles, type KnownFiles, namedFiles, wordMatches } from "./names.ts";
import { MAX_CHANGES, MAX_NEAR_CONVERSATIONS, type NearConversation, nearShares, usualShares } from "./past.ts";

export interface PromptInput {
  prompt: string;
  code?: CodeReader;
  /** The names of the project's files, if its code is not indexed. */
  names?: FileNames | undefined;
  commits?: ChangeHistory;
  conversations?: ChangeHistory;
  /** The best first. */
  near?: readonly NearConversation[];
  exists?(path: string): boolean;
  limit?: number;
}

export interface PromptEvidence {
  path: string;
  features: Record<PromptFeature, number>;
  score: number;
  /** Its score is shrunk further; see `shrunkScore`. */
  isDoubtful: boolean;
  /** Its score would reach the gate if it were not doubtful. */
  isLikely: boolean;
  /** Names of the prompt that the file defines. */
  symbols: readonly string[];
  /** The most similar past conversation that edited it. */
  nearBy: (() => string) | undefined;
  /** Words of the prompt that its definitions and comments contain, or its path where the code is not indexed. */
  matchedWords: readonly string[];
  /** Its own features, without the evidence lent by tests that are likelier. */
  own?: Record<PromptFeature, number>;
  /** Tests of this file that are likelier by themselves and lend it their evidence, the likeliest first. */
  tests: readonly PromptEvidence[];
}

const DEFAULT_LIMIT = 20;
const MAX_PROMPT_CHARS = 20_000;
/**
 * In a small project every file changes often: for a file that does not match the prompt, frequency alone is not
 * enough.
 */
const MAX_USUAL_UNMATCHED = 0.4;

/** A file that one in seven of the latest changes changed. */
const OFTEN = evidenceOdds(0.15);

export function promptFiles(input: PromptInput): LikelyFile[] {
  const { exists = () => true, limit = DEFAULT_LIMIT } = input;
  const ranked = promptEvidence(input).sort(
    (a, b) => b.score - a.score || b.features.notTest - a.features.notTest || compareText(a.path, b.path),
  );
  const answer: LikelyFile[] = [];
  for (const evidence of ranked) {
    if (answer.length >= limit) break;
    const { path } = evidence;
    if (!exists(path)) continue;
    const probability = answer.length === 0 && isBacked(evidence) ? BACKED_CHANCE : chanceAt(evidence.score);
    answer.push({ path, probability: Math.round(probability * 1000) / 1000, reasons: reasonsFor(evidence) });
  }
  return answer;
}

export function promptEvidence(input: PromptInput): PromptEvidence[] {
  const prompt = input.prompt.slice(0, MAX_PROMPT_CHARS);
  const { code, commits, conversations } = input;
  const names = code ? fileNamesOf(code) : input.names;
  const known = knownFiles(names, input);
  const named = namedFiles(prompt, known);
  const symbols = code ? definingFiles(prompt, code) : new Map<string, string[]>();
  const near = nearShares(input.near ?? [], fullness(prompt));
  const usual = usualShares(commits, conversations);
  const words = wordMatches(prompt, known);
  const codeMatches = code ? matchPrompt(prompt, code) : new Map<string, PromptMatch>();
  const isByNames = !code && names !== undefined;
  const pathMatches = isByNames ? nameMatches(prompt, known.paths, input.exists) : new Map<string, NameMatch>();
  const weights = isByNames ? PROMPT_NAMES_WEIGHTS : PROMPT_WEIGHTS;
  const candidates = new Set<string>();
  for (const found of [named, symbols, near, words, codeMatches, pathMatches])
    for (const path of found.keys()) candidates.add(path);
  const matched = new Set(candidates);
  for (const path of usual.keys()) candidates.add(path);
  const namesSome = [...named.values()].some((share) => share === 1) ? 1 : 0;
  const aboutTests = isAboutTests(prompt);
  const tests = names && !aboutTests ? testsOf(candidates, named, names) : new Map<string, string[]>();
  for (const path of tests.keys()) candidates.add(path);
  const featuresOf = (path: string): Record<PromptFeature, number> => {
    const share = named.get(path) ?? 0;
    const match = codeMatches.get(path);
    const pathMatch = pathMatches.get(path);
    const recent = usual.get(path);
    return {
      path: share === 1 ? 1 : 0,
      name: share < 1 ? share : 0,
      // A named definition counts like the file's own name: there is too little data for a separate weight.
      words: Math.max(words.get(path)?.name ?? 0, pathMatch?.name ?? 0) + Math.min(1, symbols.get(path)?.length ?? 0),
      folderWords: words.get(path)?.folders ?? 0,
      near: near.get(path)?.share ?? 0,
      nearest: near.get(path)?.nearest ?? 0,
      usual: recent ? evidenceOdds(Math.min(recent.share, matched.has(path) ? 1 : MAX_USUAL_UNMATCHED)) : 0,
      recent: recent?.recent ?? 0,
      namesSome: share === 1 ? 0 : namesSome,
      codeMatch: match?.share ?? 0,
      codeCoverage: match?.coverage ?? 0,
      codeRank: match?.rank ?? 0,
      codeLead: match?.lead ?? 0,
      nameMatch: pathMatch?.share ?? 0,
      nameRarity: pathMatch?.rarity ?? 0,
      nameRank: pathMatch?.rank ?? 0,
      nameLead: pathMatch?.lead ?? 0,
      notTest: aboutTests || !isTestPath(path) ? 1 : 0,
    };
  };
  // The weights were fitted on prompts with past conversations or with a code graph, never with both.
  const isDoubtful = (features: Record<PromptFeature, number>): boolean =>
    near.size > 0 && (code !== undefined || features.path === 0);
  const scored = (features: Record<PromptFeature, number>) => {
    const doubtful = isDoubtful(features);
    const score = promptScore(features, weights);
    return { features, score: shrunkScore(score, doubtful), isDoubtful: doubtful, isLikely: shrunk(score) >= 0 };
  };
  const ownEvidence = (path: string): PromptEvidence => {
    return {
      path,
      symbols: symbols.get(path) ?? [],
      nearBy: near.get(path)?.by,
      matchedWords: (codeMatches.get(path) ?? pathMatches.get(path))?.words ?? [],
      ...scored(featuresOf(path)),
      tests: [],
    };
  };
  return Array.from(candidates, (path) => {
    const own = ownEvidence(path);
    const lent = tests.get(path)?.map(ownEvidence);
    if (!lent) return own;
    const features = lent.reduce((sum, test) => withEvidenceOf(sum, test.features), own.features);
    const likelier = lent.filter(({ score }) => score > own.score).sort((a, b) => b.score - a.score);
    return { ...own, ...scored(features), own: own.features, tests: likelier };
  });
}

function knownFiles(names: FileNames | undefined, { commits, conversations, near = [] }: PromptInput): KnownFiles {
  const paths = new Set(names?.paths);
  const others: string[] = [];
  const add = (files: readonly string[]): void => {
    for (const path of files) {
      if (paths.has(path)) continue;
      paths.add(path);
      others.push(path);
    }
  };
  for (const changes of [commits, conversations])
    for (const { files } of changes?.latest(MAX_CHANGES) ?? []) add(files);
  for (const { files } of near.slice(0, MAX_NEAR_CONVERSATIONS)) add(files);
  return { paths, names, others };
}

/** Tests among the candidates, by the file they test. A test that the prompt names by its path is meant itself. */
function testsOf(
  candidates: ReadonlySet<string>,
  named: ReadonlyMap<string, number>,
  names: FileNames,
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const path of candidates) {
    const tested = named.get(path) === 1 ? undefined : testedFile(path, names);
    if (tested !== undefined) found.set(tested, [...(found.get(tested) ?? []), path]);
  }
  return found;
}

/** Evidence for a test also counts for the file that it tests, which never scores lower than its test. */
function withEvidenceOf(
  own: Record<PromptFeature, number>,
  test: Record<PromptFeature, number>,
): Record<PromptFeature, number> {
  const features = { ...own };
  for (const name of PROMPT_FEATURE_NAMES) {
    if (PROMPT_FEATURES[name]) features[name] = Math.max(own[name], test[name]);
  }
  return features;
}

/** Above the limit of all scores, doubtful ones grow more slowly, and hardly at all from `flatFrom` on. */
const DOUBTFUL = { slope: 0.25, flatFrom: -0.1, flatSlope: 0.05 };

/**
 * Files that similar past conversations edited are often the ones that all work edits, and then they also contain the
 * prompt's words: the evidence overlaps. In replays, the share of such files that were edited did not grow with their
 * chance between 0.4 and 0.9 and was at most a half (docs/internals/quality/suggestions.md). So their scores hardly
 * reach the gate, and keep their order.
 */
export function shrunkScore(score: number, isDoubtful: boolean): number {
  if (!isDoubtful) return shrunk(score);
  const slow = shrunk(score, DOUBTFUL.slope);
  return slow <= DOUBTFUL.flatFrom ? slow : DOUBTFUL.flatFrom + DOUBTFUL.flatSlope * (slow - DOUBTFUL.flatFrom);
}

/** From this value on, the most similar conversation that edited the file edited at most eleven files. */
const MIN_BACKED_NEAREST = 0.3;
/** The share of such files that were edited in replays. (0.63 were edited or read.) */
const BACKED_CHANCE = 0.57;

/** Whether a doubtful file may be pushed: the best one, if a conversation with few files backs it. */
function isBacked({ isDoubtful, isLikely, features }: PromptEvidence): boolean {
  return isDoubtful && isLikely && features.nearest > MIN_BACKED_NEAREST;
}

/**
 * Each feature times its weight, in the order of `PROMPT_FEATURES`. Written out, because a hook scores hundreds of files
 * before V8 compiles this, and a loop over names takes several times as long until then.
 */
function promptScore(of: Record<PromptFeature, number>, weight: PromptWeights): number {
  return (
    weight.bias +
    weight.path * of.path +
    weight.name * of.name +
    weight.words * of.words +
    weight.folderWords * of.folderWords +
    weight.near * of.near +
    weight.nearest * of.nearest +
    weight.usual * of.usual +
    weight.recent * of.recent +
    weight.namesSome * of.namesSome +
    weight.codeMatch * of.codeMatch +
    weight.codeCoverage * of.codeCoverage +
    weight.codeRank * of.codeRank +
    weight.codeLead * of.codeLead +
    weight.nameMatch * of.nameMatch +
    weight.nameRarity * of.nameRarity +
    weight.nameRank * of.nameRank +
    weight.nameLead * of.nameLead +
    weight.notTest * of.notTest
  );
}

function reasonsFor({ tests, own, ...evidence }: PromptEvidence): string[] {
  const found = ownReasons({ ...evidence, features: own ?? evidence.features });
  const [test] = tests;
  const [lent] = test ? ownReasons(test) : [];
  if (test && lent !== undefined) found.push(`its test ${test.path}: ${lent}`);
  return found.length > 0 ? found : [weakReason(evidence)];
}

/** The reason for a file without clear evidence. */
function weakReason({ features, matchedWords }: Pick<PromptEvidence, "features" | "matchedWords">): string {
  if (features.codeMatch > 0 && matchedWords.length > 0) return `mentions ${listed(matchedWords)}`;
  if (features.nameMatch > 0 && matchedWords.length > 0) return `its path has ${listed(matchedWords)}`;
  if (features.words > 0) return "part of its name is in the prompt";
  return "was changed lately";
}

const MAX_WORDS = 4;

function listed(words: readonly string[]): string {
  return words.slice(0, MAX_WORDS).join(", ");
}

function ownReasons({ features, symbols, nearBy, matchedWords }: Omit<PromptEvidence, "tests">): string[] {
  const found: string[] = [];
  if (features.path > 0) found.push("the prompt names it");
  if (features.name > 0) found.push("the prompt names a file that may be it");
  if (symbols.length > 0) found.push(`defines ${symbols.slice(0, 3).join(", ")}`);
  if (features.near > 0) found.push(`edited by a similar past conversation${nearBy ? ` (${nearBy()})` : ""}`);
  if (features.words >= 0.5) found.push("its name is in the prompt");
  else if (features.folderWords > 0 && features.nameMatch === 0) found.push("the name of its folder is in the prompt");
  if (features.codeMatch >= 0.5 && matchedWords.length > 0) found.push(`mentions ${listed(matchedWords)}`);
  if (features.nameMatch >= 0.5 && features.words < 0.5) found.push(`its path has ${listed(matchedWords)}`);
  if (features.usual >= OFTEN) found.push("is changed often at the moment");
  return found;
}
