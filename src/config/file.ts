/**
 * Changes config.yaml one value at a time, keeps comments and order, and never writes a file that dex would refuse to
 * load. The file may hold a key, so it is created private to the user.
 */
import { realpathSync } from "node:fs";
import type { Document } from "yaml";
import { DexError, systemCode } from "../kernel/errors.ts";
import { writeFileAtomic } from "../kernel/files/atomic_write.ts";
import { isObject, type Json, type JsonObject } from "../kernel/json.ts";
import { acquireLock } from "../kernel/lock.ts";
import { settingProblems } from "./keys.ts";
import { notSettings, readConfigText } from "./settings.ts";

const LOCK_WAIT_MS = 5000;

export interface Change {
  key: string;
  /** Undefined resets to the default. */
  value: Json | undefined;
}

/** Returns the problems that the file had before and still has. */
export async function changeConfig(path: string, changes: readonly Change[]): Promise<string[]> {
  return withConfigLock(path, async () => {
    const { text, remaining } = await changedText(readConfigText(path) ?? "", changes, path);
    writeConfig(path, text);
    return remaining;
  });
}

/** Runs a read-change-write cycle alone, so that concurrent changes are not lost. */
export async function withConfigLock<T>(path: string, change: () => Promise<T> | T): Promise<T> {
  const lock = acquireLock(`${path}.lock`, LOCK_WAIT_MS);
  if (!lock) throw new DexError("busy", `Another process is changing ${path}.`, { hint: "Try again." });
  try {
    return await change();
  } finally {
    lock.release();
  }
}

export async function changedText(
  text: string,
  changes: readonly Change[],
  path: string,
): Promise<{ text: string; remaining: string[] }> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text);
  const before = settingProblems(contentOf(document, path));
  for (const { key, value } of changes) change(document, key.split("."), value);
  const after = settingProblems(contentOf(document, path));
  // An earlier problem must not prevent a change to another setting.
  const caused = [...after].find(([place, problem]) => before.get(place) !== problem);
  if (caused) throw new DexError("bad_value", withPeriod(caused[1]), { hint: "Nothing was changed." });
  const empty = document.contents === null || Object.keys(contentOf(document, path)).length === 0;
  const written = empty && !document.commentBefore && !document.comment ? "" : document.toString({ lineWidth: 0 });
  return { text: written, remaining: [...after.values()] };
}

/** Checks a whole text, as saved by an editor. */
export async function checkedConfig(text: string, path: string): Promise<string[]> {
  const { parseDocument } = await import("yaml");
  return [...settingProblems(contentOf(parseDocument(text), path)).values()];
}

function contentOf(document: Document.Parsed, path: string): JsonObject {
  const error = document.errors[0];
  if (error) {
    throw new DexError("bad_config", `${path} is not valid YAML: ${error.message.split("\n")[0]}`, {
      hint: "Correct it with `dex config edit`.",
    });
  }
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (value === null || value === undefined) return {};
  if (isObject(value)) return value;
  throw notSettings(path);
}

function change(document: Document, path: readonly string[], value: Json | undefined): void {
  if (value === undefined) {
    // yaml throws where the file or the group is empty.
    if (!document.hasIn(path)) return;
    document.deleteIn(path);
    const group = path.slice(0, -1);
    const rest: unknown = group.length > 0 ? document.getIn(group) : undefined;
    if (isEmptyGroup(rest)) document.deleteIn(group);
    return;
  }
  // A group without any setting (`llm:`) is null, in which nothing can be set.
  for (let depth = 1; depth < path.length; depth += 1) {
    const at = path.slice(0, depth);
    const held: unknown = document.getIn(at, true);
    if (document.hasIn(at) && !isMap(held)) document.deleteIn(at);
  }
  const old: unknown = document.getIn(path, true);
  // Changing a scalar in place keeps the comment after it.
  if (isScalar(old) && !Array.isArray(value) && !isObject(value)) old.value = value;
  else document.setIn(path, document.createNode(value));
}

function isMap(node: unknown): node is { items: unknown[] } {
  return typeof node === "object" && node !== null && "items" in node && Array.isArray(node.items);
}

function isEmptyGroup(node: unknown): boolean {
  return isMap(node) && node.items.length === 0;
}

function isScalar(node: unknown): node is { value: Json } {
  return typeof node === "object" && node !== null && "value" in node && !("items" in node);
}

/** Follows a link to the real file, because dotfiles are often links. */
export function writeConfig(path: string, text: string): void {
  writeFileAtomic(linkedFile(path), text);
}

function linkedFile(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return path;
    throw error;
  }
}

function withPeriod(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
