/**
 * Creates missing vectors of indexed texts: after a change of model, or with a provider that is too slow to embed during
 * a sync. Works in steps that are written separately, so it can be stopped at any time; searches use the existing vectors,
 * and other processes may sync in between. Vectors of the models that come with dex or run on this machine are kept when
 * another is chosen, so that choosing them again costs nothing.
 */
import type { VectorModel } from "../ranking/query.ts";
import type { VectorCoverage, VectorGap, VectorGapReader } from "../store/vector_gaps.ts";
import { quantise } from "../vectors/quantise.ts";
import type { Provider } from "./provider.ts";
import { MAX_WINDOWS, WINDOW_WORDS } from "./static.ts";

export interface TextEmbedder {
  model: VectorModel;
  /** One row per window of each text; undefined for a text without words. */
  embed(texts: readonly string[]): Promise<(Int8Array | undefined)[]>;
}

/** An index of texts whose vectors can be added later: that of conversations, or that of documents. */
export interface VectorTarget {
  /** Opens the current index. */
  fresh(): VectorGapReader;
  /** In the order of the gap. A text that no longer exists is empty. */
  texts(gap: VectorGap): string[];
  /** False, and nothing is written, if the gap no longer exists. */
  fill(model: VectorModel, gap: VectorGap, vectors: readonly (Int8Array | undefined)[]): Promise<boolean>;
  drop(keeps: (model: VectorModel) => boolean): Promise<void>;
}

export interface FillRequest {
  /** The models whose vectors are kept next to those of the current one, by name. */
  kept: readonly string[];
  /** Stops after the current step; the vectors so far stay. */
  signal?: AbortSignal | undefined;
  progress?: (done: number, total: number) => void;
}

/** Texts per write: a kill loses the work of one step. */
const STEP_TEXTS = 64;

/** Returns how many texts got vectors. */
export async function fillVectors(request: FillRequest, target: VectorTarget, embedder: TextEmbedder): Promise<number> {
  const { kept, signal, progress } = request;
  const { model } = embedder;
  const isKept = (each: VectorModel): boolean =>
    each.name === model.name ? each.dims === model.dims : kept.includes(each.name);
  const { models } = target.fresh().vectorCoverage();
  if (!models.every((each) => isKept(each.model))) await target.drop(isKept);
  let done = 0;
  while (!signal?.aborted) {
    const reader = target.fresh();
    const gap = reader.vectorGap(model, STEP_TEXTS);
    if (!gap) return done;
    const { all, embedded } = coverageOf(reader.vectorCoverage(), model.name);
    const vectors = await embedder.embed(target.texts(gap));
    const filled = await target.fill(model, gap, vectors);
    if (filled) done += gap.places.length;
    progress?.(embedded + (filled ? gap.places.length : 0), all);
  }
  return done;
}

/** How many of all texts have vectors of the model. */
export function coverageOf({ all, models }: VectorCoverage, model: string): { all: number; embedded: number } {
  return { all, embedded: models.find((each) => each.model.name === model)?.covered ?? 0 };
}

export function providerTexts(provider: Provider): TextEmbedder {
  return {
    model: { name: provider.name, dims: provider.dims },
    embed: async (texts) => {
      const windows = texts.map(windowsOf);
      const flat = windows.flat();
      const vectors: (Float32Array | undefined)[] = [];
      for (let at = 0; at < flat.length; at += provider.batch) {
        vectors.push(...(await provider.embed(flat.slice(at, at + provider.batch))));
      }
      let next = 0;
      return windows.map((own) => {
        const found = vectors.slice(next, next + own.length);
        next += own.length;
        return rowsOf(found, provider.dims);
      });
    },
  };
}

/** Windows like those of the static model; the last one may be shorter. */
function windowsOf(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const windows: string[] = [];
  for (let at = 0; at < words.length && windows.length < MAX_WINDOWS; at += WINDOW_WORDS) {
    windows.push(words.slice(at, at + WINDOW_WORDS).join(" "));
  }
  return windows;
}

function rowsOf(vectors: readonly (Float32Array | undefined)[], dims: number): Int8Array | undefined {
  const rows = new Int8Array(vectors.length * dims);
  let count = 0;
  for (const vector of vectors) if (vector && quantise(vector, dims, rows, count * dims) !== 0) count += 1;
  return count === 0 ? undefined : rows.slice(0, count * dims);
}
