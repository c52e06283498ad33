/** Arrows run downward only, and never in a circle. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";

/** From the top of the house to its ground floor; the folders of one row may not use each other. */
const FLOORS: readonly (readonly string[])[] = [
  ["cli", "index.ts"],
  ["mcp", "http", "hooks", "web"],
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
  ["dex.ts", "run_context.ts", "decisions", "usage"],
  ["team"],
  ["sync", "collections", "code", "history"],
  ["integrations", "redact", "embedding"],
  ["store", "traces"],
  ["ranking"],
  ["conversations", "documents"],
  ["tokens", "vectors"],
  ["text"],
  ["loops"],
  ["config", "threads"],
  ["kernel", "version.ts"],
];

const src = resolve(import.meta.dirname, "../../src");
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

test("the database engine is known to the store alone: all others use store/engine and the ports", () => {
  const wrong = globSync("**/*.ts", { cwd: src }).filter(
    (file) =>
      !file.endsWith(".test.ts") &&
      !file.startsWith("store/") &&
      /(?:from|import\()\s*"[^"]*\/store\/sqlite\//.test(readFileSync(join(src, file), "utf8")),
  );
  assert.deepEqual(wrong, []);
});

/** The imports of each file at load time, types included. An `import()` runs later, and may lead back. */
function staticImports(): Map<string, string[]> {
  const imports = new Map<string, string[]>();
  for (const file of globSync("**/*.ts", { cwd: src })) {
    if (file.endsWith(".test.ts")) continue;
    const found = readFileSync(join(src, file), "utf8").matchAll(/\bfrom\s*"(\.[^"]+)"|^import\s*"(\.[^"]+)"/gm);
    const targets = [...found].map(([, from, bare]) => relative(src, resolve(src, dirname(file), from ?? bare ?? "")));
    imports.set(file, targets);
  }
  return imports;
}

/** The first circle that is met from each file, as the path that leads back to its beginning. */
function circles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const path: string[] = [];
  const found: string[] = [];
  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at >= 0) found.push([...path.slice(at), file].join(" > "));
    if (at >= 0 || done.has(file)) return;
    path.push(file);
    for (const target of imports.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of imports.keys()) visit(file);
  return found;
}

test("no file imports itself through others, not even for types", () => {
  assert.deepEqual(
    circles(
      new Map([
        ["a", ["b"]],
        ["b", ["c", "d"]],
        ["c", ["a"]],
        ["d", []],
      ]),
    ),
    ["a > b > c > a"],
  );
  const imports = staticImports();
  assert.ok([...imports.values()].flat().length > 2000, "the imports were found");
  assert.deepEqual(circles(imports), []);
});

test("a command loads no server that it does not start", () => {
  const imports = staticImports();
  const loaded = new Set(["cli/main.ts", "cli/entry.ts", "cli/run_verb.ts", "cli/run_program.ts"]);
  for (const file of loaded) for (const target of imports.get(file) ?? []) loaded.add(target);
  assert.ok(loaded.size > 50, "the imports were found");
  assert.deepEqual(
    [...loaded].filter((file) => /^(?:http|mcp|serving)\//.test(file)),
    [],
  );
});

test("only kernel, store and readers of history touch SQLite, and nothing starts a shell", () => {
  const allowed = /^(kernel|store|integrations\/(?:agents\/\w+\/)?history\/)/;
  for (const file of globSync("**/*.ts", { cwd: src })) {
    const text = readFileSync(join(src, file), "utf8");
    if (/from "node:sqlite"/.test(text) && !file.endsWith(".test.ts")) assert.match(file, allowed);
    assert.doesNotMatch(text, /\bexecSync\(|shell:\s*true/, file);
  }
});

test("no verb imports another verb", () => {
  const defines = /=\s*defineOperation\(/;
  const files = globSync("operations/*/**/*.ts", { cwd: src }).filter((file) => !file.endsWith(".test.ts"));
  const verbs = new Set(files.filter((file) => defines.test(readFileSync(join(src, file), "utf8"))));
  assert.ok(verbs.size > 60, "the verbs were found");
  const imports = staticImports();
  const wrong = [...verbs].flatMap((verb) =>
    (imports.get(verb) ?? []).filter((target) => verbs.has(target)).map((target) => `${verb} imports ${target}`),
  );
  assert.deepEqual(wrong, []);
});

/** Agents that were made from another one, or that keep its format: they use its reader. */
const MADE_FROM: Readonly<Record<string, string>> = {
  amazon_q: "kiro",
  claude_cowork: "claude_code",
  icodemate: "opencode",
  iflow: "gemini",
  jetbrains_ai: "junie",
  kilo_code: "opencode",
  letta: "pi",
  mimo_code: "opencode",
  openclaude: "claude_code",
  openclaw: "pi",
  prime_agent: "pi",
  qoder: "claude_code",
  qwen_code: "gemini",
  tabnine: "gemini",
  trae_cli: "codex",
  zcode: "opencode",
};
/** Folders of the system, which a record needs to say whether its reader is worth loading. */
const LIGHT = "../../history/folders.ts";

test("an agent uses no other agent's reader but the one it was made from, and its record loads its parts on demand", () => {
  const wrong: string[] = [];
  const records = globSync("integrations/agents/*/integration.ts", { cwd: src });
  for (const file of globSync("integrations/agents/*/**/*.ts", { cwd: src })) {
    if (file.endsWith(".test.ts")) continue;
    const agent = file.split("/")[2] ?? "";
    const text = readFileSync(join(src, file), "utf8");
    for (const [, start = "", specifier = ""] of text.matchAll(/((?:import type .*)?from|import\()\s*"(\.[^"]+)"/g)) {
      const [top, folder, other = ""] = relative(src, resolve(src, dirname(file), specifier)).split("/");
      const isForeign =
        top === "integrations" &&
        folder === "agents" &&
        other !== agent &&
        other !== MADE_FROM[agent] &&
        records.includes(`integrations/agents/${other}/integration.ts`);
      const isEager = file.endsWith("/integration.ts") && start === "from" && specifier !== LIGHT;
      if (isForeign || isEager) wrong.push(`${file} imports ${specifier}`);
    }
  }
  assert.ok(records.length > 10, "the records were found");
  assert.deepEqual(wrong, []);
});

/**
 * Files that may call `readFileSync`: they read dex's own home, settings and package, the files of agents, and files that
 * the user names on the command line. Files of a project are read through `kernel/files/bounded_read.ts`.
 */
const MAY_READ_WHOLE = [
  /^(?:kernel|store|config|integrations|embedding|upkeep)\//,
  /^(?:workflows\/state|chat\/sessions)\.ts$/,
  /^cli\/(?:running\/config_edit|ask\/history)\.ts$/,
  /^code\/parsing\/parser\.ts$/,
  /^collections\/(?:archive|declaring\/declare)\.ts$/,
  /^hooks\/log\.ts$/,
  /^serving\/token\.ts$/,
  /^http\/assets\.ts$/,
  /^memory\/summaries\.ts$/,
  /^operations\/ask\/ask_test\.ts$/,
  /^threads\/code_cache\.ts$/,
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

test("the page imports types of operations alone, and nothing imports the page", () => {
  const wrong: string[] = [];
  const files = globSync("web/**/*.{ts,tsx}", { cwd: src }).filter((file) => !file.endsWith(".test.ts"));
  for (const file of files) {
    const text = readFileSync(join(src, file), "utf8");
    for (const [whole, specifier = ""] of text.matchAll(/(?:import|export)\b[^;"]*?\(?"([^"]+)"/g)) {
      if (specifier.startsWith("node:")) wrong.push(`${file} imports ${specifier}`);
      if (!specifier.startsWith(".")) continue;
      const [top] = relative(src, resolve(src, dirname(file), specifier)).split("/");
      const isType = top === "operations" && /^(?:import|export) type\b/.test(whole);
      if (top !== "web" && !isType) wrong.push(`${file} imports ${specifier}`);
    }
  }
  for (const file of globSync("**/*.ts", { cwd: src })) {
    if (file.startsWith("web/")) continue;
    if (/(?:from|import\()\s*"[^"]*\/web\//.test(readFileSync(join(src, file), "utf8")))
      wrong.push(`${file} imports the page`);
  }
  assert.ok(files.length > 10, "the files were found");
  assert.deepEqual(wrong, []);
});
