/**
 * Fits the weights of the file ranker and writes them into src/suggest/files/weights.ts.
 *
 *   node bench/suggest/fit.ts [--commits N] [--keep <folder> | --fresh] [<repository> …]
 *
 * Without a repository, the shared ones next to this checkout are replayed; the real sessions next to this checkout are
 * used too. The options are those of `run.ts`.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fileScore, fitFiles, fitPrompts, fitSeveral } from "./model.ts";
import { loadSets, SET_OPTIONS } from "./sets.ts";

const { values, positionals } = parseArgs({ options: SET_OPTIONS, allowPositionals: true });
const FILE = join(import.meta.dirname, "../../src/suggest/files/weights.ts");

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
const table = (weights: Readonly<Record<string, number>>): string =>
  Object.entries(weights)
    .map(([name, value]) => `  ${name}: ${rounded(value)},\n`)
    .join("");
const questions = (sets: ReadonlyMap<string, readonly unknown[]>): number =>
  [...sets.values()].reduce((sum, set) => sum + set.length, 0);

const { histories, sessions, prompts, subjects, named } = await loadSets(positionals, values);
const files = fitFiles([...histories.values(), ...sessions.values()]);
const several = fitSeveral([...histories.values()], fileScore(files));
const byCode = fitPrompts([...prompts.values(), ...subjects.values()]);
const byNames = fitPrompts([...prompts.values(), ...named.values()]);
writeFileSync(
  FILE,
  `/**
 * The weight of each feature in the log-odds that a file is edited, fitted by \`node bench/suggest/fit.ts\` on replays of
 * ${questions(histories)} questions of ${histories.size} repositories, and on ${questions(sessions)} edited files of real sessions of ${sessions.size} projects.
 * docs/internals/quality/suggestions.md says how well they do.
 */
import type { Feature } from "./features.ts";
import type { PromptWeights } from "./prompt/features.ts";

export const BIAS = ${rounded(files.bias)};

export const WEIGHTS: Readonly<Record<Feature, number>> = {
${table(files.weights)}};

/** If several files are evidence for a candidate: the weights of its two best scores. */
export const SEVERAL = { bias: ${rounded(several.bias)}, best: ${rounded(several.weights.best)}, second: ${rounded(several.weights.second)} };

/**
 * Of prompts where the code is indexed: fitted on ${questions(prompts)} first prompts of real sessions of ${prompts.size} projects, without a code
 * graph, and on ${questions(subjects)} subjects of commits of ${subjects.size} repositories, with one.
 */
export const PROMPT_WEIGHTS: PromptWeights = {
  bias: ${rounded(byCode.bias)},
${table(byCode.weights)}};

/** Of prompts where only the names of files are known: fitted on the same prompts, and subjects with the names. */
export const PROMPT_NAMES_WEIGHTS: PromptWeights = {
  bias: ${rounded(byNames.bias)},
${table(byNames.weights)}};
`,
);
