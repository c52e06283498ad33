/**
 * Replays that are kept on disk. A replay takes minutes and depends on the source that reads code, history and
 * conversations, so a kept one is used only as long as that source and its own input are the same.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";

const ROOT = join(import.meta.dirname, "../..");
/** Git ignores this folder. */
export const CACHE = join(ROOT, ".cache/suggest");

/** Parts of the source without an effect on a replay: all that only serve, show, watch, measure or weigh. */
const WITHOUT_EFFECT =
  /^src\/(?:(?:ask|chat|cli|decisions|forgetting|hooks|http|llm|mcp|memory|operations|rendering|serving|team|upkeep|usage|watch|web|workflows)\/|suggest\/(?!files\/(?!weights)|prompt_content))/;
const PARTS = ["src", "bench/suggest", "bench/history", "bench/quality/home.ts"];
/** These only measure. */
const MEASURING = /^bench\/suggest\/(?:fit|kinds|latency|measure|model|run)\b/;

export class ReplayCache {
  readonly #folder: string | undefined;
  #source: string | undefined;

  /** Without a folder nothing is kept. */
  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /** `input`: everything besides the source that the replay depends on. */
  async of<T>(name: string, input: string, replay: () => Promise<T>): Promise<T> {
    if (this.#folder === undefined) return replay();
    this.#source ??= sourceHash();
    const key = createHash("sha256").update(`${this.#source} ${input}`).digest("hex").slice(0, 16);
    const file = `${name}.${key}.v8`;
    const path = join(this.#folder, file);
    if (existsSync(path)) return deserialize(readFileSync(path)) as T;
    const found = await replay();
    mkdirSync(this.#folder, { recursive: true });
    const isOlder = (other: string): boolean =>
      other.startsWith(`${name}.`) && other.length === file.length && other !== file;
    for (const other of readdirSync(this.#folder)) if (isOlder(other)) rmSync(join(this.#folder, other));
    writeFileSync(path, serialize(found));
    return found;
  }
}

function sourceHash(): string {
  const hash = createHash("sha256");
  for (const path of PARTS.flatMap(filesBelow).sort()) {
    if (WITHOUT_EFFECT.test(path) || MEASURING.test(path) || path.endsWith(".test.ts")) continue;
    hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  }
  return hash.digest("hex");
}

function filesBelow(part: string): string[] {
  if (part.endsWith(".ts")) return [part];
  const entries = readdirSync(join(ROOT, part), { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
      .slice(ROOT.length + 1)
      .replaceAll("\\", "/");
    return entry.isFile() && entry.name.endsWith(".ts") ? [path] : [];
  });
}
