/** Ids: random ones for new objects, content hashes for equal texts, and names for redacted folders. */
import { hash, randomBytes } from "node:crypto";

/** `sub_` and twelve hexadecimal digits. */
export function newId(kind: string): string {
  return `${kind}_${randomBytes(6).toString("hex")}`;
}

/** A hash of the text, with this many hexadecimal digits. */
export function contentId(text: string, digits = 16): string {
  return hash("sha256", text, "hex").slice(0, digits);
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
