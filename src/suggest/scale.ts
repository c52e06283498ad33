/**
 * The one scale: a score is the estimated chance that an item is of use, and this is where strengths become chances.
 *
 * Each kind of evidence has a logistic line over its strength: `even` is the strength at which use and no use are
 * equally likely, `steep` how fast the chance grows around it, `most` what no strength of this kind alone can exceed.
 * A line marked "prior" was never measured: it states what is believed until feedback says otherwise, and feedback
 * moves the scores of a type by at most one logit (`weights.ts`). Of files, replays of real histories tell: their chance
 * was fitted there.
 */

interface Line {
  even: number;
  steep: number;
  most: number;
}

const line = (even: number, steep: number, most: number): Line => ({ even, steep, most });

/** The strength is a chance that was fitted elsewhere: it stands as it is. */
const CHANCE = "chance";

export const SCALE = {
  /** Strength: a chance already, fitted on replays of histories and sessions (`files/weights.ts`). */
  likely_file: CHANCE,
  /** Strength: confidence of the call, less where there are many callers. Prior. */
  calls_it: line(0.75, 6, 0.75),
  /** Strength: one part in how many definitions bear the name. Prior. */
  named_symbol: line(0.4, 6, 0.85),

  // Decisions. Strength: how sure the decision's source is (a record 1, a sentence of a conversation about 0.5).
  /** Prior: a decision about a file is worth knowing to who changes it. */
  decision_file: line(0.35, 5, 0.9),
  decision_symbol: line(0.3, 5, 0.92),
  /** Strength: the share of the question's telling words that the decision has, by rarity. Prior. */
  decision_words: line(0.5, 8, 0.9),

  // Changes. Strength: 1 for a change of this minute, 0 for one as old as changes are still called recent. Prior.
  change_here: line(0.5, 4, 0.75),
  change_near: line(0.7, 5, 0.65),

  // Documents. Strength: one part in how many documents name the symbol or file. Prior.
  doc_names: line(0.4, 5, 0.75),
  /** Strength: a chance already, that of `chanceOfLead`; fitted on conversations and taken over, so a prior here. */
  doc_words: CHANCE,

  // Warnings. Strength: as with changes, over thirty days: an old failure may be mended elsewhere. Prior.
  failing_test: line(0.2, 5, 0.95),
  /** Strength: 1 when the graph shows the use, 0.5 when only the name stands there. Prior. */
  deprecated_use: line(0.45, 6, 0.85),
  /** Strength: the share of the changed file's commits that changed the missing one too. */
  missing_change: line(0.55, 8, 0.93),

  // Past conversations. Strength: 1 for one of today, halved every thirty days. Prior.
  conversation_edited: line(0.35, 4, 0.8),
  conversation_read: line(0.8, 4, 0.6),
  /** Strength: a chance already, that of `chanceOfLead`. */
  conversation_asked: CHANCE,
} satisfies Record<string, Line | typeof CHANCE>;

export type EvidenceKind = keyof typeof SCALE;

export function chanceOf(kind: EvidenceKind, strength: number): number {
  const scale: Line | typeof CHANCE = SCALE[kind];
  if (scale === CHANCE) return clamp(strength);
  const { even, steep, most } = scale;
  // The line is stretched so that it reaches `most`, and passes one half where it says.
  const rise = 1 / (1 + Math.exp(-steep * (clamp(strength) - even) - logit(0.5 / most)));
  return most * rise;
}

/**
 * The chance that a search hit is what was looked for, by how far its score leads the best of the others and by the
 * likeness of meaning. Fitted by logistic regression on 610 questions to 376 real conversations (subjects of commits,
 * titles of pull requests, titles and summaries; the answer is the conversation that did it), each asked twice: as it
 * is, and with its answers taken out, because half of what is asked was never done before. Of hits at 0.5 and above
 * 84% were right, of all right ones 37% are there; the lead alone says more than words and likeness together.
 */
export function chanceOfLead(lead: number, likeness: number | null): number {
  const ahead = Math.log(Math.min(3, Math.max(0.1, lead)));
  return likeness === null
    ? chanceAt(5.69 * ahead - 1.85)
    : chanceAt(3.41 * Math.max(0, likeness) + 4.95 * ahead - 3.62);
}

/** What a hit is ahead of where there is no other: little is known then. */
const LONE_LEAD = 1.2;

/** How far each score is ahead of the best of the others. */
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

function clamp(value: number): number {
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
}
