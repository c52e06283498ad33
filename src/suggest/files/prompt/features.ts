/** The evidence that a prompt leads to a file, as numbers that the fit weighs. */

/** True: the fit must not give this feature a negative weight. */
export const PROMPT_FEATURES = {
  path: true,
  name: true,
  words: true,
  folderWords: true,
  near: true,
  nearest: true,
  usual: true,
  recent: true,
  namesSome: false,
  codeMatch: true,
  codeCoverage: true,
  codeRank: true,
  codeLead: true,
  nameMatch: true,
  nameRarity: true,
  nameRank: true,
  nameLead: true,
  notTest: true,
} as const;
export type PromptFeature = keyof typeof PROMPT_FEATURES;
export type PromptWeights = Readonly<Record<PromptFeature | "bias", number>>;
export const PROMPT_FEATURE_NAMES = Object.keys(PROMPT_FEATURES) as readonly PromptFeature[];
