/** A question as a vector, for comparing it with what was said. */

import type { Settings } from "../config/settings.ts";
import { staticModel } from "../embedding/locate.ts";
import { StaticEmbedder } from "../embedding/static.ts";
import { DexError } from "../kernel/errors.ts";
import { codeWords, quantise, signCode } from "../kernel/quantise.ts";
import type { QueryVector } from "../store/ports.ts";
import type { ParsedQuery } from "./query.ts";

/** How much vectors count beside words. docs/quality.md has the figures. */
const HYBRID_SHARE = 0.2;

let opened: { path: string; embedder: StaticEmbedder } | undefined;

export type Mode = "hybrid" | "lexical" | "vector";

/** What the question means, where that counts and there is a model to tell. */
export function vectorOf(query: ParsedQuery, settings: Settings, mode: Mode): QueryVector | undefined {
  if (mode === "lexical") return undefined;
  const vector = textVector(query.text, settings, mode === "vector" ? 1 : HYBRID_SHARE * plainness(query.text));
  if (vector || mode === "hybrid") return vector;
  throw new DexError(
    "no_vector",
    "There is no vector for this query: no model is set, or it knows none of the words.",
    {
      hint: "Search without --mode, or set embedding.provider: static.",
    },
  );
}

/** A path, a file name, an identifier, a number: found by its letters, of which a vector knows little. */
const NAME = /[\\/_\d]|\w[.:]\w|\p{Ll}\p{Lu}/u;

/** Which part of the words is language and not a name. */
function plainness(text: string): number {
  const words = text.split(/\s+/).filter((word) => /\p{L}|\p{N}/u.test(word));
  return words.length === 0 ? 0 : words.filter((word) => !NAME.test(word)).length / words.length;
}

/** Undefined when there is no model, or it knows nothing of the text. */
export function textVector(text: string, settings: Settings, share: number): QueryVector | undefined {
  const path = staticModel(settings);
  if (path === undefined) return undefined;
  if (opened?.path !== path) opened = { path, embedder: new StaticEmbedder(path) };
  const { embedder } = opened;
  const vector = embedder.embed(text);
  if (!vector) return undefined;
  const { name, dims } = embedder;
  const row = new Int8Array(dims);
  const inverse = quantise(vector, dims, row, 0);
  const bits = new Uint32Array(codeWords(dims));
  signCode(row, dims, bits, 0);
  return { model: { name, dims }, row, inverse, bits, share };
}
