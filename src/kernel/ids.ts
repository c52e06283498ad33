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
