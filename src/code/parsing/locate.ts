/** Locates the grammars: beside the built program, or in their packages when run from source. */
import { fileURLToPath } from "node:url";

/** The runtime that all grammars share. */
export const RUNTIME: GrammarFile = { package: "web-tree-sitter", file: "web-tree-sitter.wasm" };

export interface GrammarFile {
  package: string;
  file: string;
}

/** Ends the name of a grammar that the build compressed: as they come, all of them are 21 MB, and then 1.5 MB. */
export const COMPRESSED = ".zst";

export function runtimePath(): string {
  return beside(RUNTIME, "");
}

export function grammarPath(grammar: GrammarFile): string {
  return beside(grammar, COMPRESSED);
}

function beside({ package: name, file }: GrammarFile, ending: string): string {
  const here = import.meta.url;
  const place = here.endsWith(".ts") ? `../../../node_modules/${name}/${file}` : `./grammars/${file}${ending}`;
  return fileURLToPath(new URL(place, here));
}
