/**
 * Evidence for single texts: messages, and passages of documents. Their scores depend on stems alone; this prefers the
 * text with the words as they were typed. Whether the words are side by side does not improve these rankings.
 */
import { type EvidenceSource, type WeightedEvidence, weigh } from "./evidence.ts";
import { TEXT_WEIGHTS } from "./weights.ts";

interface ScoredText {
  no: number;
  index: number;
  score: number;
}

/** Adds the evidence to the scores of `texts`, best first, without sorting them again. */
export function weighTexts<T extends ScoredText>(
  texts: readonly T[],
  { words, order }: Pick<EvidenceSource, "words" | "order">,
): (T & { evidence: WeightedEvidence[] })[] {
  const textAt = (at: number): T => texts[at] as T;
  const weighed = weigh(
    texts.map(({ score }, at) => ({ no: at, score, evidence: [] })),
    (at) => [textAt(at).index],
    { words, order: (at, slot) => order(textAt(at).no, slot), project: () => undefined, caller: undefined },
    TEXT_WEIGHTS,
  );
  return weighed.map(({ no, score, evidence }) => ({ ...textAt(no), score, evidence }));
}
