/** The packages that a command installs, and those that a text imports or a manifest lists. */
import { basename } from "node:path";
import { touchesManifest } from "../wording/substance.ts";

const INSTALL =
  /\b(?:(?:npm|pnpm|bun)\s+(?:install|i|add)|yarn\s+(?:global\s+|workspace\s+\S+\s+)?add|deno\s+(?:add|install)|(?:pip3?|pipx|conda|mamba|gem|pipenv)\s+install|(?:uv|poetry|pdm|cargo|bundle)\s+add|go\s+get|composer\s+require|dotnet\s+add\s+(?:\S+\s+)?package)\s+([^\n;&|<>]{1,1000})/g;

/** In lower case, without versions. */
export function installedPackages(command: string): Set<string> {
  const found = new Set<string>();
  for (const [, words = ""] of command.matchAll(INSTALL)) {
    for (const word of words.split(/\s+/)) if (!word.startsWith("-")) addPackage(word, found);
  }
  return found;
}

const IMPORTS: readonly RegExp[] = [
  /\b(?:from|import|require(?:_relative)?|require\(|import\()\s*\(?["']([@\w][\w@./-]{0,200})["']/g,
  /^[ \t]*(?:import|from)[ \t]+([A-Za-z_][\w.]{0,200})/gm,
  /^[ \t]*(?:pub[ \t]+)?(?:use|extern crate)[ \t]+([a-z_]\w{0,100})/gm,
  // Go names packages by their place.
  /^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"([\w-]+\.[\w.-]+\/[\w./-]{1,200})"[ \t]*$/gm,
];
const WORD_OF_MANIFEST = /[\w@][\w@./-]{0,200}/g;

/** In lower case. `files`: the files that get the text. */
export function importedPackages(text: string, files: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const cue of IMPORTS) for (const [, name = ""] of text.matchAll(cue)) addPackage(name, found);
  if (touchesManifest(files)) for (const [name] of text.matchAll(WORD_OF_MANIFEST)) addPackage(name, found);
  return found;
}

/** `@scope/name/part@1.2` is `@scope/name`; a Go path is also its last part. */
function addPackage(written: string, found: Set<string>): void {
  const name = written
    .replace(/^["']|["']$|^(?:npm|jsr|node):/g, "")
    .replace(/(?<=.)(?:@|[=<>~!]=|\[).*$/, "")
    .toLowerCase();
  if (name === "" || name.startsWith(".")) return;
  const parts = name.split("/");
  found.add(name).add(parts.slice(0, name.startsWith("@") ? 2 : 1).join("/"));
  if (parts[0]?.includes(".") && parts.length > 1) found.add(basename(name.replace(/\/v\d+$/, "")));
  else if (!name.startsWith("@")) found.add(name.split(".")[0] ?? name);
}
