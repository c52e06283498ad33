/**
 * What each feature adds to the log-odds that a file is touched, fitted by `node bench/suggest_fit.ts` on replays of
 * this repository, eslint-plugin-jsdoc, parse-server, pino, mysql2, mercurius, fastify, undici, mongoose (8381 questions), and on
 * 1147 edited files and 244 first prompts of real sessions of 5 projects. docs/quality.md says how well they do.
 */
import type { Feature } from "./features.ts";
import type { PromptFeature } from "./prompt.ts";

export const BIAS = -5.328;

export const WEIGHTS: Readonly<Record<Feature, number>> = {
  share: 0.283,
  level: 0,
  rank: 0.192,
  newest: 0.353,
  support: 0.026,
  back: 0,
  through: 0,
  usual: 1.78,
  recent: 0.743,
  beside: 1.766,
  habitShare: 0,
  habit: 0.679,
  best: -0.255,
  size: 0.217,
  young: 0.07,
  unknown: 0.067,
  conversations: -0.276,
  imported: 0,
  importer: 0.246,
  tests: 0.362,
  tested: 0.432,
  documents: 0.728,
  near: 0.213,
  stem: 0,
  words: 0.703,
  folder: 0.387,
  testFile: -0.187,
  textFile: -0.118,
  testPair: 0.083,
  textPair: 0.115,
  unknownImport: 1.137,
  unknownFolder: 0.088,
};

/** Where several files speak for a candidate: what the two that say most of it count. */
export const SEVERAL = { bias: -0.079, best: 0.818, second: 0.096 };

export const PROMPT_BIAS = -3.413;

export const PROMPT_WEIGHTS: Readonly<Record<PromptFeature, number>> = {
  path: 3.718,
  name: 0,
  symbol: 0,
  words: 0.578,
  folderWords: 0,
  near: 2.219,
  nearest: 0.912,
  usual: 1.343,
  recent: 1.357,
  partner: 0,
  namesSome: -0.519,
  length: -1.435,
};
