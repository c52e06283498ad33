/**
 * One interface to whatever makes vectors: the built-in model, MiniLM on this machine, or a service. A provider's name
 * and dimensions are kept with its vectors, and those of another are not compared with them.
 */
import type { Settings } from "../config/settings.ts";
import { requireModel } from "./locate.ts";

export interface Provider {
  readonly name: string;
  readonly dims: number;
  /** How many texts are best given at once. */
  readonly batch: number;
  /** Unit vectors, one for each text in order; undefined for a text without anything to embed. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<(Float32Array | undefined)[]>;
  /** Whether a text has a word that means something to the model; absent where the model does not tell. */
  knows?(text: string): boolean;
  close(): Promise<void>;
}

/** Undefined when the settings want no vectors. Throws a sentence with the next step when a part is missing. */
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
  // The settings hold both when the provider is an endpoint.
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
