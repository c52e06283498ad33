/**
 * Changing config.yaml: one value at a time, comments and order kept, never to something dex would refuse to start
 * with. The file may hold a key, so that it is the user's alone from the first byte on.
 */
import { realpathSync } from "node:fs";
import type { Document } from "yaml";
import { DexError, systemCode } from "../kernel/errors.ts";
import { writeFileAtomic } from "../kernel/files/atomic_write.ts";
import { isObject, type Json, type JsonObject } from "../kernel/json.ts";
import { acquireLock } from "../kernel/lock.ts";
import { settingProblems } from "./keys.ts";
import { readConfigText } from "./settings.ts";

const WAIT = 5000;

export interface Change {
  key: string;
  /** Undefined: back to the default. */
  value: Json | undefined;
}

/** Returns what was wrong with the file before and still is. */
export async function changeConfig(path: string, changes: readonly Change[]): Promise<string[]> {
  return withConfigLock(path, async () => {
    const { text, remaining } = await changedText(readConfigText(path) ?? "", changes, path);
    writeConfig(path, text);
    return remaining;
  });
}

/** Who reads, changes and writes the file does it alone: two at once lose nothing. */
export async function withConfigLock<T>(path: string, change: () => Promise<T> | T): Promise<T> {
  const lock = acquireLock(`${path}.lock`, WAIT);
  if (!lock) throw new DexError("busy", `${path} is being changed by another process.`, { hint: "Try it again." });
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
  // What was wrong before does not stand in the way of mending something else.
  const caused = [...after].find(([place, problem]) => before.get(place) !== problem);
  if (caused) throw new DexError("bad_value", withPeriod(caused[1]), { hint: "Nothing was changed." });
  const empty = document.contents === null || Object.keys(contentOf(document, path)).length === 0;
  const written = empty && !document.commentBefore && !document.comment ? "" : document.toString({ lineWidth: 0 });
  return { text: written, remaining: [...after.values()] };
}

/** The content of a text, checked as a whole: what an editor left behind. */
export async function checkedConfig(text: string, path: string): Promise<string[]> {
  const { parseDocument } = await import("yaml");
  return [...settingProblems(contentOf(parseDocument(text), path)).values()];
}

function contentOf(document: Document.Parsed, path: string): JsonObject {
  const error = document.errors[0];
  if (error) {
    throw new DexError("bad_config", `${path} is not valid YAML: ${error.message.split("\n")[0]}`, {
      hint: "Mend it with `dex config edit`.",
    });
  }
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (value === null || value === undefined) return {};
  if (isObject(value)) return value;
  throw new DexError("bad_config", `${path} must hold settings by name.`, { hint: "Mend it with `dex config edit`." });
}

function change(document: Document, path: readonly string[], value: Json | undefined): void {
  if (value === undefined) {
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
  // A scalar that is changed in place keeps the comment behind it.
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

/** Through a link, as dotfiles often are, to the file itself. */
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
