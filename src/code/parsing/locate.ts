/** Where the grammars lie: beside the built program, or in the packages they come in when run from source. */
import { fileURLToPath } from "node:url";

/** The runtime that all grammars share. */
export const RUNTIME = { package: "web-tree-sitter", file: "web-tree-sitter.wasm" };

export function grammarPath({ package: name, file }: { package: string; file: string }): string {
  const here = import.meta.url;
  const place = here.endsWith(".ts") ? `../../../node_modules/${name}/${file}` : `./grammars/${file}`;
  return fileURLToPath(new URL(place, here));
}
