/**
 * Fits the weights of the file ranker and writes them into src/suggest/files/weights.ts.
 *
 *   node bench/suggest/fit.ts [--keep <folder>] [--asks <history>[:releases] …] [--prompts] <history>[:releases] …
 *
 * A history is a repository; `:releases` means that its commits are releases of a package (bench/history/releases.ts).
 * The real sessions next to this checkout are used too. --asks: a history that only serves as a source of prompts.
 * --prompts: only the weights of prompts. --keep: caches replays in this folder.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bent, fileScore, fitBend, fitFiles, fitPrompts, fitSeveral, foldedScores } from "./model.ts";
import { loadPrompts, loadSets } from "./sets.ts";

const { values, positionals } = parseArgs({
  options: {
    keep: { type: "string" },
    asks: { type: "string", multiple: true },
    prompts: { type: "boolean" },
  },
  allowPositionals: true,
});
const FILE = join(import.meta.dirname, "../../src/suggest/files/weights.ts");
/** Weights of prompts follow those of files. */
const PROMPTS = "\n/**\n * Of prompts";
const asks = values.asks ?? [];

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
const table = (weights: Readonly<Record<string, number>>): string =>
  Object.entries(weights)
    .map(([name, value]) => `  ${name}: ${rounded(value)},\n`)
    .join("");
const questions = (sets: ReadonlyMap<string, readonly unknown[]>): number =>
  [...sets.values()].reduce((sum, set) => sum + set.length, 0);

const filePart = values.prompts
  ? (readFileSync(FILE, "utf8").split(PROMPTS)[0] ?? "")
  : fitFilePart(await loadSets(positionals, asks, values.keep));
writeFileSync(FILE, filePart + promptPart(await loadPrompts([...positionals, ...asks], values.keep)));

function fitFilePart({ histories, sessions }: Awaited<ReturnType<typeof loadSets>>): string {
  const files = fitFiles([...histories.values(), ...sessions.values()]);
  const bend = fitBend([...foldedScores(new Map([...histories, ...sessions]), 3).values()]);
  const plain = fileScore(files);
  const several = fitSeveral([...histories.values()], (candidate) => bent(bend, plain(candidate)));
  return `/**
 * The weight of each feature in the log-odds that a file is edited, fitted by \`node bench/suggest/fit.ts\` on replays of
 * ${questions(histories)} questions of these histories, and on ${questions(sessions)} edited files of real sessions.
 * docs/internals/quality.md says how well they do.
 *
${[...histories.keys()].map((name) => ` *   ${name}\n`).join("")} */
import type { Feature } from "./features.ts";

export const BIAS = ${rounded(files.bias)};

export const WEIGHTS: Readonly<Record<Feature, number>> = {
${table(files.weights)}};

/** Calibration: high scores are lowered to match the hit rates on held-out histories. */
export const BEND = { bias: ${rounded(bend.bias)}, slope: ${rounded(bend.weights.slope)}, bend: ${rounded(bend.weights.bend)}, from: -1 };

/** If several files are evidence for a candidate: the weights of its two best scores. */
export const SEVERAL = { bias: ${rounded(several.bias)}, best: ${rounded(several.weights.best)}, second: ${rounded(several.weights.second)} };
`;
}

function promptPart({ prompts, subjects }: Awaited<ReturnType<typeof loadPrompts>>): string {
  const prompt = fitPrompts([...prompts.values(), ...subjects.values()]);
  return `${PROMPTS}: fitted by \`node bench/suggest/fit.ts --prompts\` on ${questions(prompts)} first prompts of real sessions of
 * ${prompts.size} projects, which have no code graph, and on what commits were made for, with the graph of their parent:
 *
${[...subjects].map(([name, asked]) => ` *   ${name}: ${asked.length}\n`).join("")} */
export const PROMPT_BIAS = ${rounded(prompt.bias)};

export const PROMPT_WEIGHTS = {
${table(prompt.weights)}};
`;
}
