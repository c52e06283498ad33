/** Ids: random ones for new objects, content hashes for equal texts, and names for redacted folders. */
import { hash } from "node:crypto";
import { sha256 } from "./sha256.ts";

/** Longer texts are hashed faster by `node:crypto`, even if it must be loaded first. */
const MAX_SHORT_CHARS = 1000;

/** `sub_` and twelve hexadecimal digits. Must only be unique. */
export function newId(kind: string): string {
  const digits = Math.floor(Math.random() * 2 ** 48).toString(16);
  return `${kind}_${digits.padStart(12, "0")}`;
}

/** A SHA-256 hash of the text, with this many hexadecimal digits. */
export function contentId(text: string, digits = 16): string {
  return (text.length <= MAX_SHORT_CHARS ? sha256(text) : hash("sha256", text, "hex")).slice(0, digits);
}

/** Replaces the path of a container whose conversations are all forgotten, because the path may name the project. */
export function concealedPath(path: string): string {
  return `forgotten:${contentId(path, 32)}`;
}

/** The name of a folder in databases: a path with a secret is redacted and identified by a hash. */
export function keptFolder(path: string, redacted: string): string {
  return path === redacted ? path : `${redacted}#${contentId(path)}`;
}

/** Whether the stored name is that of the folder. Avoids the redaction module, which is slow to load. */
export function isKeptFolder(kept: string | undefined, path: string): boolean {
  return kept === path || (kept !== undefined && isRedactedFolder(kept) && kept.endsWith(`#${contentId(path)}`));
}

/** The folder cannot be found by such a name. */
export function isRedactedFolder(kept: string): boolean {
  return /\[REDACTED[^\]]*\].*#[0-9a-f]{16}$/s.test(kept);
}
