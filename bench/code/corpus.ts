/**
 * Makes a large project of a small one: copies of its sources, each with its own names, so that copies differ as the
 * files of a large project do. Names in strings stay: they are the paths of imports.
 */
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const SOURCES = "**/*.{ts,tsx,js,mjs,cjs,py,go,rs,java,kt,c,cc,cpp,h,cs,rb,php,scala,lua}";
/** A string (kept), or a name with an inner capital. */
const STRING_OR_NAME = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\b[A-Za-z][a-z0-9]+[A-Z]\w*\b/g;

/** Returns the paths of the files below `folder`, a git work tree. */
export function makeCorpus(folder: string, sources: readonly string[], count: number): string[] {
  const found = sources.flatMap((root, at) =>
    globSync(SOURCES, { cwd: root, exclude: (name) => /(^|\/)(node_modules|dist|\.git)$/.test(name) })
      .sort()
      .map((path) => ({ from: join(root, path), to: `${at}/${path}` })),
  );
  const made: string[] = [];
  for (let copy = 0; made.length < count; copy += 1) {
    for (const { from, to } of found) {
      if (made.length >= count) break;
      const path = `part${copy}/${to}`;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), renamed(readFileSync(from, "utf8"), copy));
      made.push(path);
    }
  }
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
  ])
    spawnSync("git", args, { cwd: folder });
  return made;
}

function renamed(text: string, copy: number): string {
  if (copy === 0) return text;
  return text.replaceAll(STRING_OR_NAME, (found) => (/^["']/.test(found) ? found : `${found}${copy}`));
}
