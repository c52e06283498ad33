/** Arrows run downward only. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";

/** From the top of the house to its ground floor; the folders of one row may not use each other. */
const FLOORS: readonly (readonly string[])[] = [
  ["cli", "index.ts"],
  ["mcp", "hooks"],
  ["serving"],
  ["rendering"],
  ["operations"],
  ["watch"],
  ["upkeep", "forgetting"],
  ["ask", "workflows", "chat"],
  ["llm"],
  ["memory"],
  ["suggest"],
  ["search", "project"],
  ["dex.ts", "run_context.ts", "decisions"],
  ["sync", "collections", "code", "history"],
  ["sources", "redact", "embedding", "agents"],
  ["store", "traces"],
  ["ranking"],
  ["conversations", "documents"],
  ["tokens", "vectors"],
  ["text"],
  ["config"],
  ["kernel", "version.ts"],
];

const src = resolve(import.meta.dirname, "../src");
const floorOf = new Map(FLOORS.flatMap((names, floor) => names.map((name) => [name, floor] as const)));

test("no module imports from a floor above its own", () => {
  const wrong: string[] = [];
  let checked = 0;
  for (const file of globSync("**/*.ts", { cwd: src })) {
    if (file.endsWith(".test.ts")) continue;
    const own = file.split("/")[0] ?? "";
    const text = readFileSync(join(src, file), "utf8");
    for (const [, specifier = ""] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)) {
      const target = relative(src, resolve(src, dirname(file), specifier));
      const other = target.split("/")[0] ?? "";
      checked += 1;
      if (other === own) continue;
      const up = (floorOf.get(other) ?? -1) <= (floorOf.get(own) ?? Number.NaN);
      if (!floorOf.has(own) || !floorOf.has(other) || up) wrong.push(`${file} imports ${target}`);
    }
  }
  assert.ok(checked > 100, "the imports were found");
  assert.deepEqual(wrong, []);
});

test("only kernel, store and sources touch SQLite, and nothing starts a shell", () => {
  const allowed = /^(kernel|store|sources|dex\.ts)/;
  for (const file of globSync("**/*.ts", { cwd: src })) {
    const text = readFileSync(join(src, file), "utf8");
    if (/from "node:sqlite"/.test(text) && !file.endsWith(".test.ts")) assert.match(file, allowed);
    assert.doesNotMatch(text, /\bexecSync\(|shell:\s*true/, file);
  }
});

/**
 * Files that read with `readFileSync`: dex's own home, its settings and its own package, what agents wrote, and what the
 * user names on the command line. What lies in a project goes through `kernel/bounded_read.ts`.
 */
const MAY_READ_WHOLE = [
  /^(?:kernel|store|config|agents|sources|embedding|upkeep)\//,
  /^agent\/(?:workflows\/state|chat\/sessions)\.ts$/,
  /^cli\/(?:config_edit|ask\/history)\.ts$/,
  /^code\/parsing\/parser\.ts$/,
  /^collections\/(?:archive|declaring\/declare)\.ts$/,
  /^hooks\/log\.ts$/,
  /^mcp\/token\.ts$/,
  /^memory\/summaries\.ts$/,
  /^operations\/ask_test\.ts$/,
];

test("files of a project are read through the bounded reader alone", () => {
  const whole = /\b(?:readFileSync|createReadStream)\(|from "node:fs\/promises"/;
  const wrong = globSync("**/*.ts", { cwd: src }).filter(
    (file) =>
      !file.endsWith(".test.ts") &&
      !MAY_READ_WHOLE.some((allowed) => allowed.test(file)) &&
      whole.test(readFileSync(join(src, file), "utf8")),
  );
  assert.deepEqual(wrong, []);
});
