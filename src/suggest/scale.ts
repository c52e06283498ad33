/**
 * The common scale of all suggestions: a score is the estimated chance that an item is useful, and this file turns
 * evidence into a chance.
 *
 * Most kinds have a logistic regression over a few features, fitted by `bench/suggest/kinds.ts` on replays of commits
 * and sessions. There, the chance is the share of items that the later work showed to be useful.
 * docs/internals/quality/suggestions.md has the outcomes, and the reliability on projects outside the fit. A kind
 * without weights had no feature that helped on other projects.
 *
 * A kind marked "prior" has too few cases for a fit. It is a line over one strength: `even` is the strength at which
 * use and non-use are equally likely, `steep` is how fast the chance grows around it, and `most` is the limit that this
 * kind alone cannot exceed. It is an assumption until feedback corrects it, and feedback moves the scores of a type by
 * at most one logit (`feedback/score_shift.ts`). Before that, a refresh shifts the kinds of a project by what its own
 * past shows (`replay/prepare_shifts.ts`).
 */

interface Line {
  even: number;
  steep: number;
  most: number;
}

const line = (even: number, steep: number, most: number): Line => ({ even, steep, most });

/** A logistic regression over several features of the evidence. */
interface Fitted {
  bias: number;
  weights: Readonly<Record<string, number>>;
  /**
   * Log-odds above this value grow half as fast, because the fit is overconfident on other projects, increasingly so
   * for high values.
   */
  flatFrom?: number;
}

const FLAT_SLOPE = 0.5;

/** The strength is a chance that was fitted elsewhere and is used unchanged. */
const CHANCE = "chance";

export const SCALE = {
  /** Strength: a chance already, fitted on replays of histories and sessions (`files/weights.ts`). */
  likely_file: CHANCE,
  /** Strength: confidence of the call, less where there are many callers. */
  calls_it: { bias: -1.89, weights: { strength: 0.49 } },
  /** Strength: 1 over the number of definitions with the name. */
  named_symbol: { bias: -1.24, weights: { strength: 1.96 } },
  // The same where the files of the prompt are ranked. `likely`: the log-odds of the file in that ranking; `spread`: in
  // how many files the names of the prompt are defined, as a logarithm.
  ranked_symbol: { bias: 0.22, weights: { strength: 0.63, likely: 0.55, spread: -0.47 } },
  ranked_caller: { bias: -0.93, weights: { likely: 0.25 } },

  // Decisions that a person wrote down. Strength: how reliable the source is. Prior: whoever changes a file should know a
  // decision about it.
  decision_stated: line(0.35, 5, 0.9),
  // By the words of a prompt; see `decision_words`.
  decision_stated_words: { bias: -7.2, weights: { subject: 4, rarest: 5, likeness: 4.5 }, flatFrom: 0 },
  // Decisions found in commits, conversations and comments. `symbols`: it names some; `usual`: how often recent commits
  // changed other files of it. Between a tenth and a half are of use, by project: only a project's own past lifts one
  // above a half.
  decision_file: { bias: -2, weights: { symbols: 1.13, usual: 4.33 }, flatFrom: -1.1 },
  /** Uses the weights of `decision_file`, because there are too few cases. */
  decision_symbol: { bias: -2, weights: { symbols: 1.13, usual: 4.33 }, flatFrom: -1.1 },
  // `subject`: the share of the prompt's words that its subject has, weighted by rarity; `rarest`: how rare the rarest of
  // them is; `likeness`: its cosine similarity to the prompt. Judged by hand, because the files that a commit changes
  // hardly tell whether the words of a decision fit (docs/internals/quality/suggestions.md).
  decision_words: { bias: -9.5, weights: { subject: 4, rarest: 5, likeness: 4.5 }, flatFrom: 0 },

  // Changes. `follows`: how often a commit to the file continued on the files of the one before it; `added`: how many lines
  // it added to the file, as a logarithm.
  // Between a sixth and two thirds are of use, by project: only a project's own past lifts one above a half.
  change_here: { bias: -1.42, weights: { follows: 1.62, added: 0.25 }, flatFrom: -1.2 },
  change_near: { bias: -2.79, weights: { added: 0.3 } },

  /** A document that names the file or symbol. */
  doc_names: { bias: -3.79, weights: {} },
  /** A section that a prompt finds: its lead over the other sections, and its cosine similarity to the prompt. */
  doc_words: { bias: -3.41, weights: { lead: 0.21, likeness: 3.95 } },

  /** Strength: from 1 for a failure just now to 0 after thirty days: an old failure may have been fixed unseen. Prior. */
  failing_test: line(0.2, 5, 0.95),
  /** Strength: 1 if the graph shows the use, 0.5 if only the text has the name. Prior. */
  deprecated_use: line(0.45, 6, 0.85),
  /** dex warns only where both files nearly always change together; 95% came true. */
  missing_change: { bias: 2.9, weights: {} },

  // Past conversations of the project. `recent`: 1 for one of today, halved every thirty days; `breadth`: the number of
  // files it used; `usual`: how often others met its files; `lead`: its lead over the other hits.
  conversation_edited: { bias: -2.12, weights: { recent: 2.87, breadth: -1.13, usual: 0.99 }, flatFrom: 0 },
  conversation_read: { bias: -0.77, weights: {} },
  conversation_asked: { bias: -1.87, weights: { usual: 3.97, lead: 1.18 }, flatFrom: -1 },
  /** Strength: a chance already, from `chanceOfLead`. */
  conversation_elsewhere: CHANCE,
} satisfies Record<string, Line | Fitted | typeof CHANCE>;

export type EvidenceKind = keyof typeof SCALE;

/**
 * Kinds whose chances were judged by hand. A replay cannot correct them: whether later work touched a file or a symbol
 * of a decision does not tell whether the prompt was about the decision.
 */
export const JUDGED_KINDS: ReadonlySet<EvidenceKind> = new Set(["decision_stated_words", "decision_words"]);

export const EVIDENCE_KINDS = Object.keys(SCALE) as EvidenceKind[];

/** The shift of chances in logits, by kind of evidence; 0 if absent. */
export type KindShifts = Readonly<Partial<Record<EvidenceKind, number>>>;

/** A chance moved by this many logits. */
export function shifted(chance: number, logits: number): number {
  return logits === 0 || chance <= 0 || chance >= 1 ? chance : chanceAt(logit(chance) + logits);
}

export function chanceOf(
  kind: EvidenceKind,
  strength: number,
  features: Readonly<Record<string, number>> = { strength: clamp(strength) },
): number {
  const scale: Line | Fitted | typeof CHANCE = SCALE[kind];
  if (scale === CHANCE) return clamp(strength);
  if ("weights" in scale) return fittedChance(scale, features);
  const { even, steep, most } = scale;
  // The logistic curve is stretched so that it reaches `most` and passes one half at `even`.
  const rise = 1 / (1 + Math.exp(-steep * (clamp(strength) - even) - logit(0.5 / most)));
  return most * rise;
}

export function fittedChance(
  { bias, weights, flatFrom = Number.POSITIVE_INFINITY }: Fitted,
  features: Readonly<Record<string, number>>,
): number {
  const logits = Object.entries(weights).reduce((sum, [name, weight]) => sum + weight * finite(features[name]), bias);
  return chanceAt(logits <= flatFrom ? logits : flatFrom + FLAT_SLOPE * (logits - flatFrom));
}

/**
 * The chance that a search hit is the right one, from the lead of its score over the best other hit and from its
 * cosine similarity. Fitted by logistic regression on 610 questions to 376 real conversations (subjects of commits,
 * titles of pull requests, titles and summaries; the answer is the conversation that did the work), each asked twice:
 * as it is, and with its answers removed, because half of all requests have no precedent. At 0.5 and above, precision
 * was 84% and recall 37%; the lead alone predicts more than words and similarity together.
 */
export function chanceOfLead(lead: number, likeness: number | null): number {
  const ahead = leadFeature(lead);
  return likeness === null
    ? chanceAt(5.69 * ahead - 1.85)
    : chanceAt(3.41 * Math.max(0, likeness) + 4.95 * ahead - 3.62);
}

const MIN_LEAD = 0.1;
const MAX_LEAD = 3;

/** A lead as a feature: its logarithm, within limits. */
export function leadFeature(lead: number): number {
  return Math.log(Math.min(MAX_LEAD, Math.max(MIN_LEAD, lead)));
}

/** The lead assumed for a single hit, about which little is known. */
const LONE_LEAD = 1.2;

/** The ratio of each score to the best of the others. */
export function leadsOf(scores: readonly number[]): number[] {
  const [first = 0, second = 0] = [...scores].sort((a, b) => b - a);
  return scores.map((score) => {
    const other = score === first ? second : first;
    return other > 0 ? score / other : LONE_LEAD;
  });
}

export function logit(chance: number): number {
  return Math.log(chance / (1 - chance));
}

export function chanceAt(logits: number): number {
  return 1 / (1 + Math.exp(-logits));
}

function finite(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) ? value : 0;
}

function clamp(value: number): number {
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
}
