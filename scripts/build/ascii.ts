/**
 * Makes the CommonJS bundles ASCII: dex reads them as Latin-1 (`src/threads/code_cache.ts`). The bundler escapes what strings
 * contain, but leaves regular expressions and raw templates as they are. The raw templates are expressions, too, and in an
 * expression `\u2026` means the same as the character.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export function writeAsAscii(folder: string): void {
  for (const name of globSync("*.cjs", { cwd: folder })) {
    const text = readFileSync(join(folder, name), "utf8");
    const plain = text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    if (plain !== text) writeFileSync(join(folder, name), plain);
  }
}
