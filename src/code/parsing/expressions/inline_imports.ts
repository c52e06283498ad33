import type { Node } from "../../syntax/tree.ts";

/** Imports that are not statements. */
export interface InlineImports {
  /** Index of the import that a call such as `require("x")` loads; undefined for other calls. */
  loadedModule(call: Node): { index: number; promised: boolean } | undefined;
  importOf(index: number): { source: string; name: string };
  /** Index of the import of a name that is used by its path. */
  fromPath(source: string, name: string, at: Node): number;
}
