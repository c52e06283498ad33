/**
 * What any program would have to do at least: read and parse the files, or ask for their sizes.
 *
 *   node bare.mjs read|stat <list.json>
 *
 * Plain JavaScript, so that the stripping of types is no part of what dex is compared with.
 */
import { readFileSync, statSync } from "node:fs";

const [, , what, list] = process.argv;
for (const path of JSON.parse(readFileSync(list, "utf8"))) {
  if (what === "stat") statSync(path);
  else read(path);
}

function read(path) {
  const text = readFileSync(path, "utf8");
  if (!path.endsWith(".jsonl")) return;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    try {
      JSON.parse(line);
    } catch {
      // Real files have torn lines.
    }
  }
}
