/** Embeds a query as a vector. */
import type { Settings } from "../../config/settings.ts";
import { hasModel, staticModel } from "../../embedding/locate.ts";
import type { Provider } from "../../embedding/provider.ts";
import { StaticEmbedder } from "../../embedding/static.ts";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import type { OwnedCaches } from "../../kernel/owned_caches.ts";
import type { CosineScale, QueryVector, VectorModel } from "../../ranking/query.ts";
import { codeWords, quantise, signCode } from "../../vectors/quantise.ts";
import type { ParsedQuery } from "./query.ts";

export type Mode = "hybrid" | "lexical" | "vector";

interface ModelWeights {
  /** The weight of vectors relative to words. */
  share: number;
  scale: CosineScale;
}

/** docs/internals/quality.md has the figures. */
const STATIC_SHARE = 0.2;
const STATIC: ModelWeights = { share: STATIC_SHARE, scale: { unrelated: 0.2, found: 0.35 } };
const MINILM: ModelWeights = { share: 0.5, scale: { unrelated: 0.1, found: 0.35 } };
/** The model is not known. */
const ENDPOINT: ModelWeights = { share: 0.3, scale: { unrelated: 0.2, found: 0.35 } };
/** After this the search continues without vectors. */
const EMBEDDING_TIMEOUT_MS = 3000;
const MAX_TEXT_CHARS = 4000;

export interface EmbeddingContext {
  settings: Settings;
  paths: { home: string };
  vars: NodeJS.ProcessEnv;
  caches: OwnedCaches;
}

/** Undefined in lexical mode, or if there is no vector. `notice` tells if embedding fails, and why. */
export async function vectorOf(
  query: ParsedQuery,
  context: EmbeddingContext,
  mode: Mode,
  notice?: (text: string) => void,
): Promise<QueryVector | undefined> {
  const plain = mode === "vector" ? 1 : plainness(query.text);
  if (mode === "lexical" || plain === 0) return undefined;
  const { provider } = context.settings.embedding;
  const { share, scale } = provider === "static" ? STATIC : provider === "minilm" ? MINILM : ENDPOINT;
  const weights = { share: mode === "vector" ? 1 : share * plain, scale };
  const standIn = provider === "static" ? undefined : standInOf(query, context.settings, mode);
  const vector = await embed(query.text, weights, context, (reason) => {
    const way = standIn ? "with the built-in model" : "by words";
    if (mode === "hybrid" || standIn) notice?.(`Searched ${way} only: ${reason}`);
  });
  if (vector && standIn) return { ...vector, standIn };
  if (vector || standIn || mode === "hybrid") return vector ?? standIn;
  throw noVector();
}

/** The vector of the built-in model, where another one is set. */
function standInOf(query: ParsedQuery, settings: Settings, mode: Mode): QueryVector | undefined {
  const share = mode === "vector" ? 1 : STATIC_SHARE * plainness(query.text);
  try {
    return staticVector(query.text, settings, share, true);
  } catch {
    // A damaged file. `dex doctor` reports it, and the other model is enough.
    return undefined;
  }
}

/** The same for documents, which only the built-in model embeds. */
export function staticVectorOf(query: ParsedQuery, settings: Settings, mode: Mode): QueryVector | undefined {
  const share = mode === "vector" ? 1 : STATIC_SHARE * plainness(query.text);
  if (mode === "lexical" || share === 0) return undefined;
  const vector = staticVector(query.text, settings, share);
  if (vector || mode === "hybrid") return vector;
  throw noVector();
}

/**
 * The vector of the built-in model, whatever the provider is, at once: opening a provider takes a hook longer than using
 * the model does.
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

async function embed(
  text: string,
  weights: ModelWeights,
  context: EmbeddingContext,
  failed: (reason: string) => void,
): Promise<QueryVector | undefined> {
  try {
    const provider = await context.caches.of(providerCache).open(context);
    if (provider?.knows?.(text.slice(0, MAX_TEXT_CHARS)) === false) return undefined;
    const [vector] =
      (await provider?.embed([text.slice(0, MAX_TEXT_CHARS)], AbortSignal.timeout(EMBEDDING_TIMEOUT_MS))) ?? [];
    return provider && vector ? queryVector(provider, vector, weights) : undefined;
  } catch (error) {
    failed(errorMessage(error));
    return undefined;
  }
}

/** The provider that embeds questions, opened once: a model takes longer to open than to use. */
class ProviderCache {
  #current: { key: string; provider: Promise<Provider | undefined> } | undefined;

  open({ settings, paths, vars }: EmbeddingContext): Promise<Provider | undefined> {
    const key = JSON.stringify(settings.embedding);
    if (this.#current?.key === key) return this.#current.provider;
    if (settings.embedding.provider === "static" && !hasModel()) return Promise.resolve(undefined);
    this.close();
    const provider = import("../../embedding/provider.ts").then(({ openProvider }) =>
      openProvider(settings, paths.home, vars),
    );
    this.#current = { key, provider };
    return provider;
  }

  /** In the background: nobody waits for a provider to end. One that could not be opened has told the caller why. */
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
  signCode(row, dims, bits, 0);
  return { model: { name, dims }, row, inverse, bits, ...weights };
}

/** A path, a file name, an identifier or a number: a vector says little about it. */
const NAME = /[\\/_\d]|\w[.:]\w|\p{Ll}\p{Lu}/u;

/** The share of words that are plain language and not names. */
function plainness(text: string): number {
  const words = text.split(/\s+/).filter((word) => /\p{L}|\p{N}/u.test(word));
  return words.length === 0 ? 0 : words.filter((word) => !NAME.test(word)).length / words.length;
}
