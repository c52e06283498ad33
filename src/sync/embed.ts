/**
 * Creates missing vectors of indexed messages: after a change of model, or with a provider that is too slow to embed during
 * a sync. Works in steps that are written separately, so it can be stopped at any time; searches use the existing vectors,
 * and other processes may sync in between. Vectors of the models that come with dex or run on this machine are kept when
 * another is chosen, so that choosing them again costs nothing.
 */
import type { Provider } from "../embedding/provider.ts";
import { WINDOW_WORDS } from "../embedding/static.ts";
import { DexError } from "../kernel/errors.ts";
import { acquireLock } from "../kernel/lock.ts";
import type { VectorModel } from "../ranking/query.ts";
import { readMessages } from "../store/archive.ts";
import type { ConversationReader, VectorGap } from "../store/ports.ts";
import { quantise } from "../vectors/quantise.ts";
import { Digester, dialogueText, MAX_WINDOWS } from "./digest.ts";
import { busyError, type SyncPlaces, withWriter } from "./writing.ts";

/** One row per window of each text; undefined for a text without words. */
export type EmbedTexts = (texts: readonly string[]) => Promise<(Int8Array | undefined)[]>;

export interface TextEmbedder {
  model: VectorModel;
  embed: EmbedTexts;
}

/** Messages and titles per write: a kill loses the work of one step. */
const STEP_TEXTS = 64;
const WAIT_MS = 30_000;

/** Embeds like a sync does. */
export function staticTexts(path: string): TextEmbedder {
  const digester = new Digester(path);
  if (!digester.model) throw new Error("a digester with a model file has a model");
  return { model: digester.model, embed: async (texts) => texts.map((text) => digester.vectors(text)) };
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

export interface FillRequest {
  places: SyncPlaces;
  now: () => number;
  /** Held while vectors are computed. */
  lock: string;
  /** The models whose vectors are kept next to those of the current one, by name. */
  kept: readonly string[];
  /** Stops after the current step; the vectors so far stay. */
  signal?: AbortSignal;
  progress?: (done: number, total: number) => void;
}

/** Returns how many messages and titles got vectors. `open` is called once this process may work. */
export async function fillVectors(
  request: FillRequest,
  /** Opens the current index. */
  fresh: () => ConversationReader,
  open: () => Promise<TextEmbedder> | TextEmbedder,
): Promise<{ embedded: number; model: VectorModel }> {
  // Two processes would create the same vectors twice.
  const lock = acquireLock(request.lock, 0);
  if (!lock) {
    throw new DexError("busy", "Another dex process is creating vectors.", {
      hint: "Wait for it to finish; it needs no further command.",
    });
  }
  try {
    const texts = await open();
    return { embedded: await fillAll({ ...request, waitMs: WAIT_MS }, fresh, texts), model: texts.model };
  } finally {
    lock.release();
  }
}

async function fillAll(
  request: FillRequest & { waitMs: number },
  fresh: () => ConversationReader,
  { model, embed }: TextEmbedder,
): Promise<number> {
  const { places, kept, signal, progress } = request;
  const isKept = (each: VectorModel): boolean =>
    each.name === model.name ? each.dims === model.dims : kept.includes(each.name);
  if (
    !fresh()
      .vectorCoverage()
      .models.every((each) => isKept(each.model))
  ) {
    const dropped = await withWriter(request, (writer) => {
      writer.dropVectors(isKept);
      return true;
    });
    if (!dropped) throw busyError();
  }
  let done = 0;
  while (!signal?.aborted) {
    const step = read(fresh(), model, places.archive);
    if (!step) return done;
    const vectors = await embed(step.texts);
    const filled = await withWriter(request, (writer) => writer.fillGap(model, step.gap, vectors));
    if (filled === undefined) throw busyError();
    if (filled) done += step.gap.places.length;
    progress?.(step.covered + (filled ? step.gap.places.length : 0), step.all);
  }
  return done;
}

interface EmbeddingStep {
  gap: VectorGap;
  texts: string[];
  covered: number;
  all: number;
}

function read(reader: ConversationReader, model: VectorModel, archive: string): EmbeddingStep | undefined {
  const gap = reader.vectorGap(model, STEP_TEXTS);
  if (!gap) return undefined;
  const { all, models } = reader.vectorCoverage();
  const covered = models.find((each) => each.model.name === model.name)?.covered ?? 0;
  return { gap, texts: textsOf(reader, gap, archive), covered, all };
}

/** In the order of the gap. A message that no longer exists has no text. */
function textsOf(reader: ConversationReader, gap: VectorGap, archive: string): string[] {
  const wanted = new Map<number, Set<number>>();
  for (const { no, index } of gap.places) {
    if (index !== null) wanted.set(no, (wanted.get(no) ?? new Set()).add(index));
  }
  const found = new Map<string, string>();
  for (const [no, indexes] of wanted) {
    const row = reader.byNo(no);
    if (!row) continue;
    const [from, to] = [Math.min(...indexes), Math.max(...indexes) + 1];
    for (const { index, message } of readMessages(archive, row.archive, reader.blocks(no), from, to)) {
      found.set(`${no}#${index}`, dialogueText(message));
    }
  }
  return gap.places.map(({ no, index }) =>
    index === null ? (reader.storedMeta(no)?.title ?? "") : (found.get(`${no}#${index}`) ?? ""),
  );
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
