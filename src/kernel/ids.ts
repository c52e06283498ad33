/** Names for things: one by chance for what is made, one by content for what is the same wherever it is met. */
import { hash, randomBytes } from "node:crypto";

/** `sub_` and twelve hexadecimal digits. */
export function newId(kind: string): string {
  return `${kind}_${randomBytes(6).toString("hex")}`;
}

/** The same text has the same name; so many hexadecimal digits of it. */
export function contentId(text: string, digits = 16): string {
  return hash("sha256", text, "hex").slice(0, digits);
}

/** Stands for the path of a container whose conversations are all forgotten: the path itself may name the project. */
export function concealedPath(path: string): string {
  return `forgotten:${contentId(path, 32)}`;
}

/** A folder as a database names it: one whose path holds a secret is redacted, and a hash of the whole identifies it. */
export function keptFolder(path: string, redacted: string): string {
  return path === redacted ? path : `${redacted}#${contentId(path)}`;
}

/** Whether the kept name is that of the folder; redaction itself, which is slow to load, is not needed to tell. */
export function isKeptFolder(kept: string | undefined, path: string): boolean {
  return kept === path || (kept !== undefined && isRedactedFolder(kept) && kept.endsWith(`#${contentId(path)}`));
}

/** The folder itself cannot be found by such a name. */
export function isRedactedFolder(kept: string): boolean {
  return /\[REDACTED[^\]]*\].*#[0-9a-f]{16}$/s.test(kept);
}
