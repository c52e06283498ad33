import type { PromptFeature } from "./prompt.ts";
import type { Feature } from "./features.ts";

export const BIAS = -5.707;

export const WEIGHTS: Readonly<Record<Feature, number>> = {
  share: 0.23,
  level: 0.0,
  rank: 0.077,
  newest: 0.209,
  support: 0.108,
  back: 0.0,
  through: 0.0,
  usual: 2.592,
  recent: 0.69,
  beside: 1.632,
  habitShare: 0.0,
  habit: 0.617,
  best: 0.318,
  size: 0.218,
  young: 0.192,
  unknown: 0.63,
  conversations: 0.0,
  imported: 0.116,
  importer: 0.278,
  tests: 0.169,
  tested: 0.307,
  documents: 0.557,
  near: 0.42,
  stem: 0.203,
  words: 1.17,
  folder: 0.493,
  testFile: -0.063,
  textFile: 0.135,
  testPair: 0.224,
  textPair: 0.077,
  unknownImport: 0.37,
  unknownTests: 0.0,
  unknownStem: 0.0,
  unknownFolder: 0.045,
  unknownBeside: 0.0,
};

export const SEVERAL = { bias: 0, best: 1, second: 0 };

export const PROMPT_BIAS = -3;

export const PROMPT_WEIGHTS: Readonly<Record<PromptFeature, number>> = {
  path: 3,
  name: 1.5,
  symbol: 1,
  words: 1,
  folderWords: 0.3,
  near: 1,
  nearest: 1,
  usual: 1,
  recent: 0.5,
  partner: 1,
  namesSome: -0.5,
  length: 0,
};
