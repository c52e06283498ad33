/** A mark of a file's edges, which shows whether they have changed. */
import { hash } from "node:crypto";
import type { Edge, Unresolved } from "./code.ts";

export function edgesMark(edges: readonly Edge[], links: ReadonlyMap<number, number>, unresolved: Unresolved): string {
  return hash("sha1", JSON.stringify([edges, [...links], unresolved]), "base64");
}
