/**
 * Measures suggestions for a prompt alone where there is a code graph: one fit on the real sessions and on the earlier
 * three fifths of this repository's commits, measured on data it has not seen: the later commits, and packages whose
 * releases list their changes.
 */
import { PROMPT_FEATURE_NAMES, type PromptFeature } from "../../src/suggest/files/prompt.ts";
import { type Ranked, rank } from "./measure.ts";
import { fitPrompts, promptScore } from "./model.ts";
import { type Asked, type Candidate, SCOPED } from "./rows.ts";

const FITTED_PART = 0.6;
const OF_CODE = ["codeMatch", "codeCoverage", "codeRank", "codeLead"] satisfies PromptFeature[];
const AT = OF_CODE.map((name) => PROMPT_FEATURE_NAMES.indexOf(name));

type Sets = ReadonlyMap<string, readonly Asked[]>;
type Score = (candidate: Candidate) => number;

export interface HeldOut {
  ways: [name: string, rankings: Ranked[]][];
  /** Of the whole ranker, for its calibration. */
  scored: { probability: number; right: boolean; weight: number }[];
}

export function heldOut(prompts: Sets, subjects: Sets, own: string, sigmoid: (score: number) => number): HeldOut {
  const plain = subjects.get(own) ?? [];
  const units = [...new Set(plain.map(({ unit }) => unit))].sort((a, b) => a - b);
  const cut = units[Math.floor(units.length * FITTED_PART)] ?? 0;
  const isOwn = (name: string): boolean => name === own || name === `${own}${SCOPED}`;
  const fitted: (readonly Asked[])[] = [...prompts.values()];
  const left = new Map<string, readonly Asked[]>();
  for (const [name, asked] of subjects) {
    if (isOwn(name)) fitted.push(asked.filter(({ unit }) => unit < cut));
    left.set(isOwn(name) ? `${name}, later part` : name, isOwn(name) ? asked.filter(({ unit }) => unit >= cut) : asked);
  }
  const whole = promptScore(fitPrompts(fitted));
  const without = promptScore(fitPrompts(fitted.map((set) => set.map(silenced))));
  const ranked = (asked: readonly Asked[], score: Score): Ranked[] => asked.map((each) => rank(each, score, sigmoid));
  return {
    ways: [...left].flatMap(([name, asked]): [string, Ranked[]][] => [
      [`${name}: without the code's words`, ranked(asked.map(silenced), without)],
      [`${name}: \`promptFiles\``, ranked(asked, whole)],
    ]),
    scored: [...left].flatMap(([name, asked]) =>
      // The same commits are also queried with their scope: they count once.
      name.includes(SCOPED)
        ? []
        : asked.flatMap(({ candidates }) =>
            candidates.map((each) => ({ probability: sigmoid(whole(each)), right: each.right, weight: 1 })),
          ),
    ),
  };
}

/** As if the code matched no words. Files without other evidence stay, as they would in a list of all files. */
function silenced(asked: Asked): Asked {
  return {
    ...asked,
    candidates: asked.candidates.map((candidate) => {
      const features = candidate.features.slice();
      for (const at of AT) features[at] = 0;
      return { ...candidate, features };
    }),
  };
}
