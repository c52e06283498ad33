/**
 * A repository must not decide by itself what dex reads. A project's file that points outside the project is followed
 * only after the user trusted it; the trust covers the content, so a changed file has to be trusted again. Conversations
 * that are committed in a repository are read only after the user trusted its folder.
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { DexError, errorMessage, systemCode } from "../kernel/errors.ts";
import { writeFileAtomic } from "../kernel/files/atomic_write.ts";
import { asString, isObject, parseJson } from "../kernel/json.ts";

export function isTrusted(list: string, file: string, content: string): boolean {
  return readTrust(list).get(file) === fingerprint(content);
}

export function trustFiles(list: string, files: ReadonlyMap<string, string>): void {
  const trusted = readTrust(list);
  for (const [file, content] of files) trusted.set(file, fingerprint(content));
  writeTrust(list, trusted);
}

/** Returns the files that were trusted before. */
export function distrustFiles(list: string, files: readonly string[]): string[] {
  const trusted = readTrust(list);
  const gone = files.filter((file) => trusted.delete(file));
  if (gone.length > 0) writeTrust(list, trusted);
  return gone;
}

/** Used instead of a fingerprint: the user trusts the folder, whatever is committed to it later. */
const HISTORY = "history";

/** Project folders whose committed conversations the user trusts. */
export function trustedHistories(list: string): string[] {
  return [...readTrust(list)].flatMap(([folder, print]) => (print === HISTORY ? [folder] : [])).sort();
}

export function trustHistory(list: string, folder: string): void {
  writeTrust(list, readTrust(list).set(folder, HISTORY));
}

function readTrust(list: string): Map<string, string> {
  let text: string;
  try {
    text = readFileSync(list, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return new Map();
    throw new DexError("bad_trust", `${list} cannot be read: ${errorMessage(error)}`, {
      hint: "Check its permissions.",
      cause: error,
    });
  }
  const value = parseJson(text);
  // A damaged list trusts nothing.
  if (!isObject(value)) return new Map();
  return new Map(
    Object.entries(value).flatMap(([file, print]) => (asString(print) ? [[file, String(print)] as const] : [])),
  );
}

function writeTrust(list: string, trusted: ReadonlyMap<string, string>): void {
  writeFileAtomic(list, `${JSON.stringify(Object.fromEntries([...trusted].toSorted()), null, 2)}\n`);
}

function fingerprint(content: string): string {
  return `sha256:${hash("sha256", content, "hex")}`;
}
