/**
 * The rollout files of a family of agents: one per thread, later compressed in place.
 *
 * A reverted thread continues in another file, which names the earlier file and the record up to which its history is
 * still valid.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { basename, join } from "node:path";
import { asNumber, asObject, firstString, isObject, type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { walkFiles } from "../../../history/reading/files.ts";
import { zstdHead } from "../../../history/reading/zstd_lines.ts";
import type { SourceEnv } from "../../../history/source.ts";

/** An agent that keeps Codex's rollouts. */
export interface CodexFamily {
  id: string;
  homes(env: SourceEnv): string[];
  /** How its records differ from Codex's. */
  dialect?: "trae";
}

export function folders(family: CodexFamily, env: SourceEnv): string[] {
  return family.homes(env).flatMap((home) => [join(home, "sessions"), join(home, "archived_sessions")]);
}

export interface Rollout {
  path: string;
  thread: string;
  /** The number of a reverted thread's later file; empty for the first one. */
  rollout: string;
  compressed: boolean;
}

const UUID = "[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}";
const ROLLOUT_NAME = new RegExp(`^rollout-.*?(${UUID})(?:_(${UUID}))?\\.jsonl(?:\\.zst)?$`);

export function rollouts(family: CodexFamily, env: SourceEnv): Rollout[] {
  const isRollout = (name: string): boolean =>
    name.startsWith("rollout-") && (name.endsWith(".jsonl") || name.endsWith(".jsonl.zst"));
  return folders(family, env).flatMap((folder) => walkFiles(folder, 4, isRollout).map(rolloutOf));
}

/** A server asks for the same files at every check. */
const known = new Map<string, Rollout>();
const MAX_KNOWN = 20_000;

export function rolloutOf(path: string): Rollout {
  const kept = known.get(path);
  if (kept) return kept;
  const rollout = parseRollout(path);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(path, rollout);
  return rollout;
}

function parseRollout(path: string): Rollout {
  const name = basename(path);
  const found = ROLLOUT_NAME.exec(name);
  const compressed = name.endsWith(".zst");
  return { path, thread: found?.[1] ?? stemOf(path), rollout: found?.[2] ?? "", compressed };
}

/**
 * Whether the first rollout is better. If a thread has several files, the last one has the whole history (ids grow with
 * time); while Codex compresses it, there are two.
 */
export function isBetter(one: Rollout, other: Rollout): boolean {
  if (one.rollout !== other.rollout) return one.rollout > other.rollout;
  const [name, otherName] = [stemOf(one.path), stemOf(other.path)];
  return name === otherName ? other.compressed && !one.compressed : name > otherName;
}

function stemOf(path: string): string {
  return basename(path).replace(/\.jsonl(?:\.zst)?$/, "");
}

const HEAD = 512 << 10;
const FIRST_HEAD = 64 << 10;

/** The meta on the first line; empty if there is none. */
export function headOf(path: string): JsonObject {
  try {
    for (const size of [FIRST_HEAD, HEAD]) {
      const head = path.endsWith(".zst") ? zstdHead(path, size) : headBytes(path, size);
      const newline = head.indexOf("\n");
      if (newline < 0 && size < HEAD) continue;
      const record = asObject(parseJson(head.toString("utf8", 0, newline < 0 ? head.length : newline)));
      if (isObject(record.payload)) return record.type === "session_meta" ? record.payload : {};
      return record;
    }
  } catch {
    // A file that cannot be read has no meta.
  }
  return {};
}

function headBytes(path: string, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  const fd = openSync(path, "r");
  try {
    return bytes.subarray(0, readSync(fd, bytes, 0, size, 0));
  } finally {
    closeSync(fd);
  }
}

interface Base {
  path: string;
  /** Records from this ordinal on were reverted. */
  before: number;
}

const MAX_BASES = 32;

/** The earlier files of a reverted thread, oldest first. A fork of another thread needs none: the parent has them. */
export function basesOf(family: CodexFamily, path: string, env: SourceEnv): Base[] {
  const bases: Base[] = [];
  let meta = headOf(path);
  const thread = firstString(meta, "id");
  if (!isObject(meta.history_base)) return bases;
  const all = rollouts(family, env).filter((rollout) => rollout.thread === thread);
  while (isObject(meta.history_base) && bases.length < MAX_BASES) {
    const wanted = firstString(meta.history_base, "thread_id");
    const before = asNumber(meta.history_base.end_ordinal_exclusive);
    const found = all.find(({ rollout }) => rollout === (wanted === thread ? "" : wanted));
    if (!found || before === undefined || found.path === path || bases.some((base) => base.path === found.path)) break;
    bases.unshift({ path: found.path, before });
    meta = headOf(found.path);
  }
  return bases;
}
