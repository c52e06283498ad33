/**
 * Evidence for single texts: messages, and passages of documents. Their scores depend on stems alone; this prefers the text
 * that has the query's words as they were typed. That they stand together adds nothing here.
 */
import { type EvidenceSource, type WeightedEvidence, weigh } from "./evidence.ts";
import { TEXT_WEIGHTS } from "./weights.ts";

interface ScoredText {
  no: number;
  index: number;
  score: number;
}

/** `texts`, best first, with the evidence for each in its score; not sorted again. */
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
