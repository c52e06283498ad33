/**
 * The weight of each feature in the log-odds that a file is edited, fitted by `node bench/suggest/fit.ts` on replays of
 * 5797 questions of 5 repositories, and on 1149 edited files of real sessions of 6 projects.
 * docs/internals/quality/suggestions.md says how well they do.
 */
import type { Feature } from "./features.ts";
import type { PromptWeights } from "./prompt/features.ts";

export const BIAS = -5.167;

export const WEIGHTS: Readonly<Record<Feature, number>> = {
  share: 0.309,
  level: 0.701,
  rank: 0.493,
  newest: 0.004,
  latest: 0.595,
  support: 0,
  back: 0,
  usual: 0.109,
  recent: 0.844,
  usualWith: 0.037,
  beside: 0.239,
  toFolder: 0.132,
  company: 1.572,
  current: -0.483,
  unknown: 0.524,
  conversations: -0.372,
  imported: 0,
  importer: 0.271,
  tests: 0.663,
  tested: 0.807,
  documents: 0.305,
  near: 0.108,
  stem: 0,
  words: 0.425,
  folder: 0.411,
  testFile: -0.148,
  textFile: 0.021,
  testPair: -0.085,
  textPair: -0.117,
};

/** If several files are evidence for a candidate: the weights of its two best scores. */
export const SEVERAL = { bias: 0.366, best: 0.849, second: 0.128 };

/**
 * For prompts with indexed code: fitted on 244 first prompts of real sessions of 5 projects, without a code graph, and
 * on 1478 subjects of commits of 5 repositories, with one.
 */
export const PROMPT_WEIGHTS: PromptWeights = {
  bias: -5.056,
  path: 3.838,
  name: 0.149,
  words: 1.471,
  folderWords: 0.754,
  near: 1.113,
  nearest: 0.769,
  usual: 0.8,
  recent: 0.591,
  namesSome: -1.457,
  codeMatch: 0.961,
  codeCoverage: 2.731,
  codeRank: 0.449,
  codeLead: 0,
  nameMatch: 0,
  nameRarity: 0,
  nameRank: 0,
  nameLead: 0,
  notTest: 0.353,
};

/** For prompts where only the names of files are known: fitted on the same prompts, and on subjects with the names. */
export const PROMPT_NAMES_WEIGHTS: PromptWeights = {
  bias: -4.815,
  path: 4.011,
  name: 1.94,
  words: 0.861,
  folderWords: 0.815,
  near: 0.549,
  nearest: 0.7,
  usual: 0.972,
  recent: 0.487,
  namesSome: -1.35,
  codeMatch: 0,
  codeCoverage: 0,
  codeRank: 0,
  codeLead: 0,
  nameMatch: 0.451,
  nameRarity: 1.039,
  nameRank: 0.485,
  nameLead: 1.058,
  notTest: 0.105,
};
