/**
 * A clone, or an unpacked archive, whose files are links to endless devices, to themselves and out of the project, and
 * fifos without a writer: every verb ends in bounded memory, and dex shows and stores nothing from outside.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Answer, program, TestHome } from "../support/program/dex.ts";
import { HANG_MS } from "../support/program/limits.ts";
import { TestRepository, temporaryFolder } from "../support/repository.ts";

const OUTSIDE = "xyzzyplughoutside";
const MAX_RSS_KB = 700_000;

function newHome(cwd: string): TestHome {
  const home = new TestHome({ vars: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" } });
  home.cwd = cwd;
  return home;
}

const probes = temporaryFolder();
const probe = join(probes, "probe.mjs");
const peak = join(probes, "peak");
writeFileSync(
  probe,
  `import { writeFileSync } from "node:fs";
process.on("exit", () => writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)));`,
);

/** Runs to its end, in bounded memory. The limit of time is only there to end what would never end. */
function runMeasured(home: TestHome, args: readonly string[], input = ""): Answer {
  rmSync(peak, { force: true });
  const run = spawnSync(process.execPath, ["--import", probe, program, ...args], {
    cwd: home.cwd,
    env: home.env,
    input,
    encoding: "utf8",
    maxBuffer: 64 << 20,
    timeout: HANG_MS,
  });
  assert.equal(run.signal, null, `dex ${args.join(" ")} did not end`);
  assert.ok(existsSync(peak), `dex ${args.join(" ")}: ${run.stderr}`);
  const rss = Number(readFileSync(peak, "utf8"));
  assert.ok(rss < MAX_RSS_KB, `dex ${args.join(" ")} took ${rss} kB`);
  assert.doesNotMatch(run.stderr, /unexpected|\n\s+at /, `dex ${args.join(" ")}`);
  return run;
}

const SESSION = (cwd: string): string =>
  JSON.stringify({ hook_event_name: "SessionStart", session_id: "s", cwd, source: "startup" });

const VERBS: readonly (readonly string[])[] = [
  ["refresh"],
  ["code", "index"],
  ["code", "map"],
  ["decisions", "--all"],
  ["warnings"],
  ["tests", "import", "junit.xml"],
  ["tests", "import", "out.xml"],
  ["tests", "list"],
  ["suggest", "--file", "src/a.ts"],
  ["pack"],
  ["history", "src/a.ts"],
  ["blame", "src/a.ts:1"],
  ["docs", "add", "pages", "./docs"],
  ["docs", "sync"],
  ["docs", "list"],
  ["docs", "pack", "."],
  ["trust", "--show"],
];

function outsideFolder(): string {
  const outside = temporaryFolder();
  const record = `# 1. ${OUTSIDE}\n\n## Status\n\nAccepted\n\n## Decision\n\nWe keep ${OUTSIDE}.\n`;
  writeFileSync(join(outside, "0001-x.md"), record);
  writeFileSync(join(outside, "secret.ts"), `// DECISION: ${OUTSIDE}\nexport function ${OUTSIDE}() {}\n`);
  writeFileSync(join(outside, "out.xml"), `<testsuite><testcase name="${OUTSIDE}"/></testsuite>`);
  writeFileSync(join(outside, "context.json"), `{"collections":{"${OUTSIDE}":{"url":"file://./docs"}}}`);
  return outside;
}

function plant(root: string, outside: string): void {
  const link = (target: string, path: string): void => symlinkSync(target, join(root, path));
  for (const name of ["package.json", ".gitignore", "junit.xml", "tsconfig.json", "manifest.json", ".dex.yaml"]) {
    link("/dev/zero", name);
  }
  mkdirSync(join(root, "docs/adr"), { recursive: true });
  mkdirSync(join(root, "notes"));
  link(join(outside, "context.json"), "context.json");
  link(join(outside, "out.xml"), "out.xml");
  link(join(outside, "0001-x.md"), "docs/adr/0001-out.md");
  link("0002-self.md", "docs/adr/0002-self.md");
  link("/dev/zero", "docs/adr/0003-zero.md");
  link("../../notes/inside.md", "docs/adr/0004-inside.md");
  link(outside, "docs/decisions");
  link("/dev/zero", "docs/.gitignore");
  link("/dev/zero", "docs/zero.md");
  link(join(outside, "0001-x.md"), "docs/out.md");
  link("..", "docs/loop");
  link("/dev/zero", "src/zero.ts");
  link(join(outside, "secret.ts"), "src/out.ts");
  link(outside, "lib");
  writeFileSync(
    join(root, "notes/inside.md"),
    "# 4. Inside\n\n## Status\n\nAccepted\n\n## Decision\n\nWe keep what stays inside.\n",
  );
  writeFileSync(join(root, "docs/page.md"), "# Page\n\nA page of the project.\n");
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}

function assertNothingFromOutside(home: TestHome, told: readonly Answer[]): void {
  for (const { stdout, stderr } of told) assert.ok(!`${stdout}${stderr}`.includes(OUTSIDE), stdout + stderr);
  for (const file of filesBelow(home.dexHome)) assert.ok(!readFileSync(file).includes(OUTSIDE), file);
}

function runAll(home: TestHome): Answer[] {
  const told = VERBS.map((verb) => runMeasured(home, verb));
  return [...told, runMeasured(home, ["hook", "claude-code"], SESSION(home.cwd))];
}

test("a clone with links to devices and out of the project", () => {
  const repository = new TestRepository();
  repository.commit("feat: begin", { "src/a.ts": "export function alpha() {}\n" });
  const outside = outsideFolder();
  plant(repository.root, outside);
  repository.commit("feat: links");
  for (const name of ["README.md", "fifo.ts", "docs/fifo.md", "docs/adr/0005-fifo.md", ".gitmodules"]) {
    execFileSync("mkfifo", [join(repository.root, name)]);
  }
  const home = newHome(repository.root);
  const told = runAll(home);
  assertNothingFromOutside(home, told);
  assert.match(home.run("decisions").stdout, /what stays inside/);
});

test("a link in the place of a folder that git knows does not lead out either", () => {
  const repository = new TestRepository();
  const outside = outsideFolder();
  repository.commit("feat: begin", { "src/a.ts": "export function alpha() {}\n", "src/secret.ts": "export {};\n" });
  // The index still has src/secret.ts; the folder it lay in leads elsewhere now.
  rmSync(join(repository.root, "src"), { recursive: true });
  symlinkSync(outside, join(repository.root, "src"));
  const home = newHome(repository.root);
  const verbs = [["refresh"], ["code", "index"], ["decisions", "--all"], ["warnings"], ["blame", "src/secret.ts:1"]];
  assertNothingFromOutside(
    home,
    verbs.map((verb) => runMeasured(home, verb)),
  );
});

test("the same without git, and with a git folder that git would never come back from", () => {
  for (const broken of [undefined, "HEAD", "config", "index"]) {
    const repository = new TestRepository();
    repository.commit("feat: begin", { "src/a.ts": "export function alpha() {}\n" });
    if (broken === undefined) {
      plant(repository.root, outsideFolder());
      rmSync(join(repository.root, ".git"), { recursive: true });
      writeFileSync(join(repository.root, "go.mod"), "module a\n");
    } else {
      rmSync(join(repository.root, ".git", broken), { force: true });
      if (broken === "HEAD") symlinkSync("/dev/zero", join(repository.root, ".git/HEAD"));
      else execFileSync("mkfifo", [join(repository.root, ".git", broken)]);
    }
    const home = newHome(repository.root);
    const few = broken === undefined ? [["refresh"], ["code", "index"], ["decisions"]] : [["refresh"], ["pack"]];
    const told = few.map((verb) => runMeasured(home, verb));
    assertNothingFromOutside(home, [...told, runMeasured(home, ["hook", "claude-code"], SESSION(home.cwd))]);
  }
});
