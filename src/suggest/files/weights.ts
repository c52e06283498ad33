/**
 * The weight of each feature in the log-odds that a file is edited, fitted by `node bench/suggest/fit.ts` on replays of
 * 8381 questions of these histories, and on 1147 edited files of real sessions.
 * docs/internals/quality.md says how well they do.
 *
 *   this repository
 *   eslint-plugin-jsdoc
 *   parse-server
 *   pino
 *   mysql2
 *   mercurius
 *   fastify
 *   undici
 *   mongoose
 */
import type { Feature } from "./features.ts";

export const BIAS = -5.33;

export const WEIGHTS: Readonly<Record<Feature, number>> = {
  share: 0.283,
  level: 0,
  rank: 0.192,
  newest: 0.351,
  latest: 0,
  support: 0.025,
  back: 0,
  through: 0,
  usual: 1.777,
  recent: 0.743,
  usualWith: 0,
  beside: 1.768,
  toFolder: 0,
  company: 0,
  current: 0,
  unknown: 0.072,
  conversations: -0.277,
  imported: 0,
  importer: 0.243,
  tests: 0.373,
  tested: 0.541,
  documents: 0.73,
  near: 0.21,
  stem: 0,
  words: 0.703,
  folder: 0.389,
  testFile: -0.188,
  textFile: -0.118,
  testPair: 0.083,
  textPair: 0.115,
};

/** If several files are evidence for a candidate: the weights of its two best scores. */
export const SEVERAL = { bias: 0.108, best: 0.879, second: 0.102 };

/**
 * Of prompts: fitted by `node bench/suggest/fit.ts --prompts` on 244 first prompts of real sessions of
 * 5 projects, which have no code graph, and on what commits were made for, with the graph of their parent:
 *
 *   this repository: 230
 *   this repository, with the scope: 230
 *   nodemailer: 126
 *   knex: 43
 *   mocha: 34
 *   express: 47
 */
export const PROMPT_BIAS = -4.82;

export const PROMPT_WEIGHTS = {
  path: 3.095,
  name: 0,
  words: 1.129,
  folderWords: 0,
  near: 0.549,
  nearest: 1.151,
  usual: 5.98,
  recent: 0.92,
  partner: 0,
  namesSome: -1.101,
  codeMatch: 1.811,
  codeCoverage: 1.962,
  codeRank: 0.655,
  codeLead: 0,
  notTest: 0,
};
