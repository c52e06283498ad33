/** Tells the edges of a file from those that it had before. */
import { hash } from "node:crypto";
import type { Edge, Unresolved } from "./code.ts";

export function edgesMark(edges: readonly Edge[], links: ReadonlyMap<number, number>, unresolved: Unresolved): string {
  return hash("sha1", JSON.stringify([edges, [...links], unresolved]), "base64");
}
