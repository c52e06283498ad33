/** A prompt as a query of the conversations, and how similar texts are to it. */
import type { Settings } from "../../config/schema.ts";
import type { TermQuery } from "../../ranking/query.ts";
import { parseQuery } from "../../search/query/query.ts";
import { builtInVectorOf, staticEmbedder } from "../../search/query/vector.ts";
import type { Activity } from "../model.ts";

/** A remote embedding service is not called: pushed context must not wait for it, nor send it the prompt. */
export function questionOf(settings: Settings, { prompt }: Activity): TermQuery | undefined {
  const parsed = prompt === undefined ? undefined : parseQuery(prompt.replaceAll(/["]|\b\w+:(?=\S)/g, " "));
  if (!parsed) return undefined;
  const vector = builtInVectorOf(parsed, settings);
  return { terms: parsed.terms, paths: parsed.paths, ...(vector ? { vector } : {}) };
}

const MAX_PROMPT_CHARS = 4000;

/** The cosine similarity of a text to the prompt by the built-in model; null if the model is off or knows no word. */
export function likenessTo(settings: Settings, { prompt }: Activity): (text: string) => number | null {
  let asked: Float32Array | null | undefined;
  return (text) => {
    const embedder = prompt === undefined ? undefined : staticEmbedder(settings);
    if (!embedder || prompt === undefined) return null;
    asked ??= embedder.embed(prompt.slice(0, MAX_PROMPT_CHARS)) ?? null;
    const vector = asked && embedder.embed(text);
    if (!asked || !vector) return null;
    let sum = 0;
    for (let at = 0; at < vector.length; at += 1) sum += (vector[at] ?? 0) * (asked[at] ?? 0);
    return sum;
  };
}
