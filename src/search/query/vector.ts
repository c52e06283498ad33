/** Embeds a query as a vector. */
import type { Settings } from "../../config/schema.ts";
import { staticModel } from "../../embedding/locate.ts";
import { type Provider, slowModelName } from "../../embedding/provider.ts";
import { StaticEmbedder } from "../../embedding/static.ts";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import type { OwnedCaches } from "../../kernel/owned_caches.ts";
import type { CosineScale, QueryVector, SecondVector, VectorModel } from "../../ranking/query.ts";
import { patternFor } from "../../text/patterns.ts";
import { codeWords, quantise, signCode } from "../../vectors/quantise.ts";
import type { ParsedQuery } from "./query.ts";
import { SECOND } from "./second_weights.ts";

export type Mode = "hybrid" | "lexical" | "vector";

interface ModelWeights {
  /** The weight of vectors relative to words. */
  share: number;
  scale: CosineScale;
}

/** docs/internals/quality/search.md has the figures. */
const STATIC_SHARE = 0.2;
const STATIC: ModelWeights = { share: STATIC_SHARE, scale: { unrelated: 0.2, found: 0.35 } };
/** The scale of MiniLM's cosines; other models are assumed to be similar. */
const SECOND_SCALE: CosineScale = { unrelated: 0.1, found: 0.35 };
/** After this time, the search continues without vectors. */
const EMBEDDING_TIMEOUT_MS = 3000;
const MAX_TEXT_CHARS = 4000;

export interface EmbeddingContext {
  settings: Settings;
  paths: { home: string };
  vars: NodeJS.ProcessEnv;
  caches: OwnedCaches;
}

/** The vectors of a question: one of the built-in model, and one of the model that the settings name, if any. */
export interface QueryVectors {
  vector?: QueryVector;
  second?: SecondVector;
}

/** Returns no vector in lexical mode, or if embedding fails. Calls `notice` with the reason. */
export async function vectorsOf(
  query: ParsedQuery,
  context: EmbeddingContext,
  mode: Mode,
  notice?: (text: string) => void,
): Promise<QueryVectors> {
  const plain = mode === "vector" ? 1 : plainness(query.text);
  if (mode === "lexical" || plain === 0) return {};
  const told = (reason: string): void => notice?.(`Searched by words only: ${reason}`);
  const share = mode === "vector" ? 1 : STATIC.share * plain;
  const vector = await trying(() => staticVector(query.text, context.settings, share, true), told);
  const second = await secondVector(query, context, mode, (reason) => {
    if (vector) notice?.(`Searched with the built-in model only: ${reason}`);
    else told(reason);
  });
  if (mode === "vector" && !vector && !second) throw noVector();
  return { ...(vector ? { vector } : {}), ...(second ? { second } : {}) };
}

async function secondVector(
  query: ParsedQuery,
  context: EmbeddingContext,
  mode: Mode,
  failed: (reason: string) => void,
): Promise<SecondVector | undefined> {
  if (slowModelName(context.settings) === undefined) return undefined;
  const plain = mode === "vector" ? 1 : plainness(query.text);
  const weights = { share: mode === "vector" ? 1 : SECOND.texts * plain, scale: SECOND_SCALE };
  const vector = await trying(() => embed(query.text, weights, context), failed);
  if (!vector) return undefined;
  return { ...vector, firstShare: SECOND.first * plain, conversationWeight: SECOND.conversations * plain };
}

async function trying<T>(work: () => T | Promise<T>, failed: (reason: string) => void): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    failed(errorMessage(error));
    return undefined;
  }
}

/** The same for passages of documents. The built-in model is asked even if it knows none of the words. */
export async function passageVectorsOf(
  query: ParsedQuery,
  context: EmbeddingContext,
  mode: Mode,
  notice?: (text: string) => void,
): Promise<QueryVectors> {
  if (slowModelName(context.settings) === undefined) {
    const vector = staticVectorOf(query, context.settings, mode);
    return vector ? { vector } : {};
  }
  return vectorsOf(query, context, mode, notice);
}

/** The vector of the built-in model for passages of documents. */
export function staticVectorOf(query: ParsedQuery, settings: Settings, mode: Mode): QueryVector | undefined {
  const share = mode === "vector" ? 1 : STATIC_SHARE * plainness(query.text);
  if (mode === "lexical" || share === 0) return undefined;
  const vector = staticVector(query.text, settings, share);
  if (vector || mode === "hybrid") return vector;
  throw noVector();
}

/**
 * The vector of the built-in model regardless of the provider, without waiting: opening a provider takes a hook longer
 * than using the model.
 */
export function builtInVectorOf(query: ParsedQuery, settings: Settings): QueryVector | undefined {
  const share = STATIC_SHARE * plainness(query.text);
  if (share === 0) return undefined;
  return staticVector(query.text, settings, share, true);
}

/** A table of the package, the same for every home. */
let builtIn: { path: string; embedder: StaticEmbedder } | undefined;

/** Undefined if there is no built-in model, or it knows none of the words. */
export function staticVector(
  text: string,
  settings: Settings,
  share: number,
  needsKnownWord = false,
): QueryVector | undefined {
  const embedder = staticEmbedder(settings);
  const vector = embedder?.embed(text.slice(0, MAX_TEXT_CHARS));
  if (!embedder || !vector || (needsKnownWord && !embedder.knewWord)) return undefined;
  return queryVector(embedder, vector, { share, scale: STATIC.scale });
}

/** Undefined if there is no built-in model, or it is turned off. */
export function staticEmbedder(settings: Settings): StaticEmbedder | undefined {
  const path = staticModel(settings);
  if (path === undefined) return undefined;
  if (builtIn?.path !== path) builtIn = { path, embedder: new StaticEmbedder(path) };
  return builtIn.embedder;
}

function noVector(): DexError {
  return new DexError(
    "no_vector",
    "There is no vector for this query: no model is set, or it knows none of the words.",
    {
      hint: "Search without --mode, or set embedding.provider: static.",
    },
  );
}

async function embed(text: string, weights: ModelWeights, context: EmbeddingContext): Promise<QueryVector | undefined> {
  const provider = await context.caches.of(providerCache).open(context);
  const [vector] =
    (await provider?.embed([text.slice(0, MAX_TEXT_CHARS)], AbortSignal.timeout(EMBEDDING_TIMEOUT_MS))) ?? [];
  return provider && vector ? queryVector(provider, vector, weights) : undefined;
}

/** The provider that embeds questions, opened once: a model takes longer to open than to use. */
class ProviderCache {
  #current: { key: string; provider: Promise<Provider | undefined> } | undefined;

  open({ settings, paths, vars }: EmbeddingContext): Promise<Provider | undefined> {
    const key = JSON.stringify(settings.embedding);
    if (this.#current?.key === key) return this.#current.provider;
    this.close();
    const provider = import("../../embedding/provider.ts").then(({ openProvider }) =>
      openProvider(settings, paths.home, vars),
    );
    this.#current = { key, provider };
    return provider;
  }

  /** Does not wait for the providers to close. One that failed to open has already reported why. */
  close(): void {
    this.#current?.provider.then((provider) => provider?.close()).catch(() => {});
    this.#current = undefined;
  }
}

function providerCache(): ProviderCache {
  return new ProviderCache();
}

function queryVector(provider: VectorModel, vector: Float32Array, weights: ModelWeights): QueryVector {
  const { name, dims } = provider;
  const row = new Int8Array(dims);
  const inverse = quantise(vector, dims, row, 0);
  const bits = new Uint32Array(codeWords(dims));
  signCode(row, bits, 0);
  return { model: { name, dims }, row, inverse, bits, ...weights };
}

/** A path, a file name, an identifier or a number, whose vector carries little information. */
const NAME = patternFor(String.raw`[\\/_\d]|\w[.:]\w|\p{Ll}\p{Lu}`);
const HAS_WORD = patternFor(String.raw`[\p{L}\p{N}]`);

/** The share of words that are plain language. */
function plainness(text: string): number {
  const words = text.split(/\s+/).filter((word) => HAS_WORD(word).test(word));
  return words.length === 0 ? 0 : words.filter((word) => !NAME(word).test(word)).length / words.length;
}
