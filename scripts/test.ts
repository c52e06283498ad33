/**
 * Runs the tests that need only this checkout; with `--outside` those that need the registry or the shared data
 * (`test/outside`); with parts of paths the tests whose path contains one of them. Tests never see the user's own home.
 * At the end it lists the skipped tests with their reasons, before the runner's own counts.
 */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { run } from "node:test";
import { pathToFileURL } from "node:url";
import { COMPILE_CACHE, HANG_MS } from "../test/support/limits.ts";
import report from "./test_reporter.ts";

const OUTSIDE = join("test", "outside") + sep;
const root = join(import.meta.dirname, "..");
const words = process.argv.slice(2);
const parts = words.filter((word) => word !== "--outside");

function isWanted(file: string): boolean {
  if (parts.length > 0) return parts.some((part) => file.includes(part));
  return file.startsWith(OUTSIDE) === words.includes("--outside");
}

const home = mkdtempSync(join(tmpdir(), "dex-test-home-"));
Object.assign(process.env, {
  HOME: home,
  DEX_HOME: join(home, ".dex"),
  NO_COLOR: "1",
  // Two hundred test files import the same sources: their types are stripped and their code compiled once.
  NODE_COMPILE_CACHE: COMPILE_CACHE,
});

// Tests of the program take longest: they start first, so no core waits for the last of them at the end.
const files = [
  ...globSync("test/**/*.test.ts", { cwd: root }).sort(),
  ...globSync("src/**/*.test.ts", { cwd: root }).sort(),
];
const wanted = files.filter(isWanted);
if (wanted.length === 0) throw new Error(`no test file has ${parts.join(" or ")} in its path`);

/** Starting a process for a test file takes half a second, which is longer than most tests of single modules run. */
const GROUP_SIZE = 12;
/** Hooks around every test, the environment, the folder and the memory belong to the whole process. */
const NEEDS_OWN_PROCESS =
  /^(?:before|after)Each\(|process\.env\b.* = |delete process\.env|process\.(?:chdir|memoryUsage)|mock\./m;

/**
 * Loads all files before the first test begins. Otherwise, when the tests of one file end while the next one is being
 * loaded, the runner takes the process for finished, and runs the `after` hooks of that next file before its tests.
 */
function groupProgram(files: readonly string[]): string {
  const imports = files.map((file) => `await import(${JSON.stringify(pathToFileURL(file).href)});`);
  return [
    'import { test } from "node:test";',
    "const loaded = Promise.withResolvers();",
    'test("all files of the group are loaded", () => loaded.promise);',
    ...imports,
    "loaded.resolve();",
    "",
  ].join("\n");
}

/** Files next to the source share processes, in groups; of a few named files each has its own. */
function grouped(all: readonly string[]): string[] {
  const paths = all.map((file) => join(root, file));
  if (parts.length > 0) return paths;
  const shared = paths.filter(
    (path) => path.startsWith(join(root, "src")) && !NEEDS_OWN_PROCESS.test(readFileSync(path, "utf8")),
  );
  const groups = Array.from({ length: Math.ceil(shared.length / GROUP_SIZE) }, (_, group) => {
    const path = join(home, `group-${group}.test.mjs`);
    const own = shared.slice(group * GROUP_SIZE, (group + 1) * GROUP_SIZE);
    writeFileSync(path, groupProgram(own));
    return path;
  });
  return [...paths.filter((path) => !shared.includes(path)), ...groups];
}

const events = run({
  cwd: root,
  files: grouped(wanted),
  // Many tests wait for programs, so two cores serve three files; real agents allow their hooks little time.
  concurrency: words.includes("--outside") ? 2 : 3,
  timeout: HANG_MS,
});
events.on("test:fail", () => {
  process.exitCode = 1;
});
events.compose(report).pipe(process.stdout);
process.once("exit", () => rmSync(home, { recursive: true, force: true }));
