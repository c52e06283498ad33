/**
 * Runs the tests that need only this checkout; with `--outside` those that need the registry or the shared data
 * (`test/outside`); with `--long` those that kill programs (`test/long`) and every random test with more rounds; with parts
 * of paths the tests whose path contains one of them. Tests never see the user's own home.
 * A file of `test/outside` that fails runs once more, alone. At the end the script lists the skipped tests with their
 * reasons, before the runner's own counts.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { run } from "node:test";
import { pathToFileURL } from "node:url";
import { HANG_MS, PROCESS_VARS } from "../test/support/program/limits.ts";
import { makeTemporaryFolder } from "./temporary_folder.ts";
import report from "./test_reporter.ts";

const OUTSIDE = join("test", "outside") + sep;
const LONG = join("test", "long") + sep;
const root = join(import.meta.dirname, "..");
const words = process.argv.slice(2);
const parts = words.filter((word) => !word.startsWith("--"));
const isOutside = words.includes("--outside");
const isLong = words.includes("--long");

function isWanted(file: string): boolean {
  if (parts.length > 0) return parts.some((part) => file.includes(part));
  if (isLong) return file.startsWith(LONG) || readFileSync(join(root, file), "utf8").includes("rounds(");
  return file.startsWith(OUTSIDE) === isOutside && !file.startsWith(LONG);
}

const temporary = makeTemporaryFolder();
const home = join(temporary, "home");
mkdirSync(home);
Object.assign(process.env, {
  TMPDIR: temporary,
  HOME: home,
  DEX_HOME: join(home, ".dex"),
  NO_COLOR: "1",
  // Two hundred test files import the same sources: their types are stripped and their code compiled once.
  ...PROCESS_VARS,
  ...(isLong ? { DEX_TEST_LONG: "1" } : {}),
});

// Tests of the program take longest: they start first, so no core waits for the last of them at the end.
const files = [
  ...globSync("test/**/*.test.ts", { cwd: root }).sort(),
  ...globSync("src/**/*.test.ts", { cwd: root }).sort(),
];
const wanted = files.filter(isWanted);
if (wanted.length === 0) throw new Error(`no test file has ${parts.join(" or ")} in its path`);

/**
 * Starting a process for a test file takes half a second, which is longer than most tests of single modules run; and
 * each process of tests in `test/` starts a resident program (`test/support/program/resident.ts`).
 */
const GROUP_SIZES = { test: 7, src: 32 } as const;
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
    'import { flushCompileCache } from "node:module";',
    'import { test } from "node:test";',
    "const loaded = Promise.withResolvers();",
    'test("all files of the group are loaded", () => loaded.promise);',
    ...imports,
    // Otherwise Node keeps the compiled code only when the process ends, and the next ones compile the same sources.
    "flushCompileCache();",
    "loaded.resolve();",
    "",
  ].join("\n");
}

/** Most files share processes, in groups; of a few named files each has its own. */
function grouped(all: readonly string[]): string[] {
  const paths = all.map((file) => join(root, file));
  if (parts.length > 0 || isOutside) return paths;
  const shared = paths.filter((path) => !NEEDS_OWN_PROCESS.test(readFileSync(path, "utf8")));
  const groups = Object.entries(GROUP_SIZES).flatMap(([folder, size]) => {
    const inFolder = shared.filter((path) => path.startsWith(join(root, folder) + sep));
    return Array.from({ length: Math.ceil(inFolder.length / size) }, (_, i) => {
      const path = join(home, `group-${folder}-${i}.test.mjs`);
      writeFileSync(path, groupProgram(inFolder.slice(i * size, (i + 1) * size)));
      return path;
    });
  });
  return [...paths.filter((path) => !shared.includes(path)), ...groups];
}

/** Resolves to the files with a failed test when every test has run and been reported. */
async function runAll(paths: readonly string[], concurrency: number): Promise<string[]> {
  const failed = new Set<string>();
  const events = run({ cwd: root, files: [...paths], concurrency, timeout: HANG_MS });
  events.on("test:fail", ({ file }) => failed.add(file ?? "(a file that the runner does not name)"));
  for await (const chunk of events.compose(report)) process.stdout.write(chunk as string | Buffer);
  return [...failed];
}

process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));
// Otherwise a run that is stopped would leave its folder in memory.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const paths = grouped(wanted);
// Many tests wait for programs, so two cores serve three files; real agents allow their hooks little time.
let failed = await runAll(paths, isOutside ? 2 : 3);
/**
 * Browsers and real agents set time limits of their own, which a machine that runs two of them may miss. A file that fails
 * a second time has failed; one that passes stays visible in the report of the first run.
 */
if (isOutside && failed.length > 0 && failed.every((file) => paths.includes(file))) {
  process.stdout.write(`\nThese files failed beside others and run once more, alone:\n  ${failed.join("\n  ")}\n\n`);
  failed = await runAll(failed, 1);
}
if (failed.length > 0) process.exitCode = 1;
