/**
 * The common interface of embedding providers: the built-in model, MiniLM on this machine, or a service. A provider's name
 * and dimensions are stored with its vectors; vectors of different providers are never compared.
 */
import type { Settings } from "../config/schema.ts";
import { requireModel } from "./locate.ts";

export interface Provider {
  readonly name: string;
  readonly dims: number;
  /** Best number of texts per call. */
  readonly batch: number;
  /** Unit vectors in the order of the texts; undefined for a text with nothing to embed. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<(Float32Array | undefined)[]>;
  /** Whether a text has a word the model knows; absent if the model cannot tell. */
  knows?(text: string): boolean;
  close(): Promise<void>;
}

/** The name under which the vectors of `minilm` are stored. */
export const MINILM_NAME = "all-MiniLM-L6-v2";

/** The same for a provider that is too slow to embed during a sync; undefined for the others. */
export function slowModelName({ embedding }: Settings): string | undefined {
  if (embedding.provider === "minilm") return MINILM_NAME;
  return embedding.provider === "endpoint" ? endpointName(embedding.model ?? "") : undefined;
}

export function endpointName(model: string): string {
  return `endpoint:${model}`;
}

/** Undefined if the settings disable vectors. Throws a DexError if a part is missing. */
export async function openProvider(
  { embedding }: Settings,
  home: string,
  vars: NodeJS.ProcessEnv,
): Promise<Provider | undefined> {
  if (embedding.provider === "none") return undefined;
  if (embedding.provider === "static") return openStatic(requireModel());
  if (embedding.provider === "minilm") {
    const { openMiniLm } = await import("./minilm/minilm.ts");
    return openMiniLm(home);
  }
  const { openEndpoint } = await import("./endpoint.ts");
  // The settings always have both for an endpoint.
  const { url = "", model = "", dims } = embedding;
  return openEndpoint({ url, model, dims, key: vars.DEX_EMBEDDING_API_KEY });
}

const STATIC_BATCH = 256;

export async function openStatic(path: string): Promise<Provider> {
  const { StaticEmbedder } = await import("./static.ts");
  const embedder = new StaticEmbedder(path);
  return {
    name: embedder.name,
    dims: embedder.dims,
    batch: STATIC_BATCH,
    knows: (text) => embedder.knows(text),
    embed: async (texts, signal) =>
      texts.map((text) => {
        signal?.throwIfAborted();
        return embedder.embed(text);
      }),
    close: async () => embedder.close(),
  };
}
