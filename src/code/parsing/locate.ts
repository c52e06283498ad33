/** Locates the grammars: next to the built program, or in their npm packages when running from source. */
import { fileURLToPath } from "node:url";

/** The runtime shared by all grammars. */
export const RUNTIME = { package: "web-tree-sitter", file: "web-tree-sitter.wasm" };

export function grammarPath({ package: name, file }: { package: string; file: string }): string {
  const here = import.meta.url;
  const path = here.endsWith(".ts") ? `../../../node_modules/${name}/${file}` : `./grammars/${file}`;
  return fileURLToPath(new URL(path, here));
}
