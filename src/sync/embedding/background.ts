/**
 * Vectors of a slow provider: how many are computed, and the process that computes the others. It is detached, runs at a
 * low priority, and takes up where the last one ended.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { spawnDetachedAfter } from "../../config/detached.ts";
import type { DexPaths } from "../../config/paths.ts";
import type { Settings } from "../../config/schema.ts";
import { coverageOf } from "../../embedding/fill.ts";
import { findPackages } from "../../embedding/minilm/packages.ts";
import { slowModelName } from "../../embedding/provider.ts";
import { DexError } from "../../kernel/errors.ts";
import { acquireLock } from "../../kernel/lock.ts";
import { openDocuments } from "../../store/engine/documents.ts";
import type { ConversationReader } from "../../store/ports.ts";

export interface EmbeddingContext {
  settings: Settings;
  paths: DexPaths;
  vars: NodeJS.ProcessEnv;
}

/** Messages and titles, and how many of them have vectors of the provider's model. */
export interface EmbeddingState {
  model: string;
  embedded: number;
  all: number;
}

/** Starting costs a second of processor time, so the messages of a minute are embedded together. */
const INTERVAL_MS = 60_000;

/** Undefined if the provider embeds during the sync, or if there are no vectors. */
export function embeddingState(settings: Settings, reader: ConversationReader): EmbeddingState | undefined {
  const model = slowModelName(settings);
  if (model === undefined) return undefined;
  return { model, ...coverageOf(reader.vectorCoverage(), model) };
}

/** The same for passages of documents. Undefined also if there are none. */
export function passageState(
  settings: Settings,
  { documents }: Pick<DexPaths, "documents">,
): EmbeddingState | undefined {
  const model = slowModelName(settings);
  if (model === undefined || !existsSync(documents)) return undefined;
  const reader = openDocuments(documents, {});
  try {
    return { model, ...coverageOf(reader.vectorCoverage(), model) };
  } finally {
    reader.close();
  }
}

/** Held by the process that computes vectors. */
export function vectorsLock({ watch }: Pick<DexPaths, "watch">): string {
  return join(watch, "vectors.lock");
}

export function isEmbedding(paths: Pick<DexPaths, "watch">): boolean {
  const path = vectorsLock(paths);
  if (!existsSync(path)) return false;
  const lock = acquireLock(path, 0);
  lock?.release();
  return lock === undefined;
}

/**
 * Starts the process if vectors are missing and none is running; at most one a minute, unless the user asked. Returns a
 * sentence for the user: how much there is to do, or why it cannot be done.
 */
export function embedInBackground(
  { settings, paths, vars }: EmbeddingContext,
  reader: ConversationReader,
  asked: boolean,
): string | undefined {
  const state = embeddingState(settings, reader);
  const passages = passageState(settings, paths);
  const missing = [
    ...(isIncomplete(state) ? [coverageText(state)] : []),
    ...(isIncomplete(passages) ? [coverageText(passages, "passages")] : []),
  ];
  if (missing.length === 0) return undefined;
  try {
    if (settings.embedding.provider === "minilm") findPackages(paths.home);
    if (!isEmbedding(paths)) {
      const stamp = join(paths.watch, "vectors.refreshed");
      spawnDetachedAfter(stamp, asked ? 0 : INTERVAL_MS, ["reindex", "--vectors"], { cwd: paths.home, vars });
    }
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    return `${error.message} ${error.hint ?? ""}`.trim();
  }
  return `${missing.join(", and ")}; dex computes the others in the background.`;
}

function isIncomplete(state: EmbeddingState | undefined): state is EmbeddingState {
  return state !== undefined && state.embedded < state.all;
}

/** A sentence for a search over texts of which some have no vectors yet; undefined if all have. */
export function missingVectorsText(
  state: EmbeddingState | undefined,
  paths: Pick<DexPaths, "watch">,
  unit: "messages" | "passages",
): string | undefined {
  if (!isIncomplete(state)) return undefined;
  const way = isEmbedding(paths) ? "dex is computing the others" : "`dex reindex --vectors` computes the others";
  return `${coverageText(state, unit)}; ${way}.`;
}

/** "12% of 3,400 messages have vectors of …" */
export function coverageText({ model, embedded, all }: EmbeddingState, unit = "messages"): string {
  const percent = Math.floor((100 * embedded) / Math.max(1, all));
  return `${percent}% of ${all.toLocaleString("en")} ${unit} have vectors of ${model}`;
}
