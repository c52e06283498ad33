/** Finding decisions by words: each word of the question counts by how few decisions have it. */
import { Analyser, LITTLE } from "../kernel/analyser.ts";
import type { Decision } from "./decision.ts";

const TEXT = 3;
const BESIDE = 1;

/** Best first; equal ones newest first. Those without any of the words are left out. */
export function matchDecisions(decisions: readonly Decision[], query: string): Decision[] {
  const analyser = new Analyser(LITTLE);
  const asked = [...new Set(analyser.words(query))];
  const documents = decisions.map((decision) => ({ decision, weights: weightsOf(decision, analyser) }));
  const rarity = new Map(
    asked.map((term) => {
      const having = documents.filter(({ weights }) => weights.has(term)).length;
      return [term, Math.log(1 + (documents.length - having + 0.5) / (having + 0.5))];
    }),
  );
  return documents
    .map(({ decision, weights }) => ({
      decision,
      score: asked.reduce((sum, term) => sum + (rarity.get(term) ?? 0) * (weights.get(term) ?? 0), 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.decision.time - a.decision.time || (a.decision.id < b.decision.id ? -1 : 1))
    .map(({ decision }) => decision);
}

function weightsOf(decision: Decision, analyser: Analyser): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const term of analyser.words(text)) weights.set(term, Math.max(weights.get(term) ?? 0, weight));
  };
  const { text, because, alternatives, files, symbols } = decision;
  add([because ?? "", ...alternatives, ...files, ...symbols].join(" "), BESIDE);
  add(text, TEXT);
  return weights;
}
