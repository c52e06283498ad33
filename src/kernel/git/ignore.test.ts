import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pick, type Random, seeded } from "../../../test/support/random.ts";
import { isIgnored, parseIgnore } from "./ignore.ts";

function left(rules: string, path: string, isFolder = false): boolean {
  return isIgnored(parseIgnore(rules, "", undefined), path, isFolder);
}

test("names anywhere, paths from the top, folders only", () => {
  assert.equal(left("*.log", "a/b.log"), true);
  assert.equal(left("/build", "build", true), true);
  assert.equal(left("/build", "a/build", true), false);
  assert.equal(left("build/", "a/build", true), true);
  assert.equal(left("build/", "a/build"), false);
  assert.equal(left("docs/*.txt", "docs/a.txt"), true);
  assert.equal(left("docs/*.txt", "docs/x/a.txt"), false);
  assert.equal(left("**/gen/**", "a/gen/b.md"), true);
  assert.equal(left("a/**/b", "a/b"), true);
  assert.equal(left("a/**/b", "a/x/y/b"), true);
  assert.equal(left("file[0-9].md", "file7.md"), true);
  assert.equal(left("\\#note", "#note"), true);
  assert.equal(left("# note", "# note"), false);
});

test("a later rule takes a file back, and a nearer file wins", () => {
  assert.equal(left("*.md\n!keep.md", "keep.md"), false);
  const above = parseIgnore("*.md", "", undefined);
  const near = parseIgnore("!*.md", "docs", above);
  assert.equal(isIgnored(near, "docs/a.md", false), false);
  assert.equal(isIgnored(above, "a.md", false), true);
});

test("a pattern made to be slow is answered at once", () => {
  const name = "a".repeat(250);
  for (const slow of ["*a".repeat(400), "a*".repeat(400), "[a-z]*".repeat(100), "?*".repeat(400), "**/a".repeat(200)]) {
    assert.equal(left(`${slow}b`, name), false);
    assert.equal(left(`/${slow}b`, `${`${name}/`.repeat(15)}${name}`), false);
  }
  assert.equal(left(`${"*a".repeat(40)}*`, name), true);
});

/** Patterns that matchers read in different ways, each alone in a file. */
const PATTERNS = [
  ...["a", "/a", "a/", "/a/", "a/b", "/a/b", "a/b/", "*", "/*", "*/", "*.md", "a*", "*a", "*a*", "?", "a?", "?/a"],
  ...["**", "**/", "/**", "**/a", "**/a/", "a/**", "a/**/b", "a/*/b", "/**/b", "**/*.md", "a/**/", "*/**/b"],
  ...["[ab]", "[a-c]", "[!a]", "[^a]", "[]a]", "[!]a]", "[a", "a[", "[", "[]", "[a-]", "[-a]", "[a\\]]", "[[:digit:]]"],
  ...["[[:alpha:]]*", "[![:digit:]]", "[[:nothing:]]", "[[:digit:]a]", "x[[:upper:]]", "[[]", "[a-", "*[[:digit:]].md"],
  ...["\\a", "\\*", "\\!a", "!a", "#a", "\\#a", "a\\", "a ", "a\\ ", " a", "a\t", "\\[a]", "**a", ".*", "*.*", "A"],
  ...[`${"*a".repeat(13)}*`, `${"*a".repeat(13)}b`, `${"a*".repeat(20)}`, `${"**/".repeat(14)}b`],
];
const NAMES = [
  "a",
  "b",
  "c",
  "]",
  "[",
  "-",
  "\\",
  "7",
  "A",
  "a b",
  "a ",
  "*",
  "!a",
  "#a",
  ".a",
  "a.md",
  "7.md",
  "xB",
  "[a",
];
const PATHS = [
  ...[...NAMES, "a[", "ab", "a-", "]a", "a\\", "a\t", "[a]", "a".repeat(13), "a".repeat(26), `${"a".repeat(13)}b`],
  ...["a/b", "b/a", "a/c/b", "a/c/c/b", "c/a/b", "a/a.md", "b/7", "a/b/c", "c/c/c/c/c/b", `b/${"a".repeat(20)}`],
];

test("every pattern of the table ignores the paths that git ignores", () => {
  compareWithGit(PATTERNS.map((text) => ({ text, paths: PATHS })));
});

test("random patterns ignore the paths that git ignores", () => {
  const random = seeded(7);
  compareWithGit(
    Array.from({ length: 400 }, () => {
      const lines = Array.from({ length: 1 + Math.floor(random() * 3) }, () => randomPattern(random));
      return { text: lines.join("\n"), paths: [...new Set(Array.from({ length: 12 }, () => randomPath(random)))] };
    }),
  );
});

/** `text` is a whole .gitignore file; `paths` are files in its folder and below. */
function compareWithGit(cases: readonly { text: string; paths: readonly string[] }[]): void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dex-ignore-")));
  try {
    execFileSync("git", ["init", "--quiet", folder], { stdio: "ignore" });
    for (const [i, { text }] of cases.entries()) {
      mkdirSync(join(folder, `d${i}`));
      writeFileSync(join(folder, `d${i}`, ".gitignore"), `${text}\n`);
    }
    const asked = cases.flatMap(({ paths }, i) => paths.map((path) => `d${i}/${path}`));
    const run = spawnSync("git", ["-C", folder, "check-ignore", "--no-index", "-z", "--stdin"], {
      input: asked.join("\0"),
      encoding: "utf8",
    });
    const ignored = new Set(run.stdout.split("\0"));
    assert.ok(ignored.size > 500 && ignored.size < asked.length - 500, `${ignored.size} of ${asked.length}`);
    for (const [i, { text, paths }] of cases.entries()) {
      const rules = parseIgnore(text, "", undefined);
      for (const path of paths) {
        const parts = path.split("/");
        const folders = parts.slice(1).map((_, end) => parts.slice(0, end + 1).join("/"));
        const own = folders.some((above) => isIgnored(rules, above, true)) || isIgnored(rules, path, false);
        assert.equal(own, ignored.has(`d${i}/${path}`), `${JSON.stringify(text)} on ${path}`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const PIECES = [
  "a",
  "b",
  "ab",
  ".",
  "*",
  "*",
  "?",
  "[ab]",
  "[!a]",
  "[a-b]",
  "[^b.]",
  "[[:alpha:]]",
  "\\a",
  "\\*",
  "[]a]",
  "[a",
  "x",
];

function randomPattern(random: Random): string {
  const segment = (): string =>
    random() < 0.2 ? "**" : Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(random, PIECES)).join("");
  const path = Array.from({ length: 1 + Math.floor(random() * 3) }, segment).join("/");
  // Git 2.39 reads "a**/" differently depending on its memory address.
  const plain = path.replace(/([^/*])\*{2,}/g, "$1*").replace(/\*{2,}(?=[^/*])/g, "*");
  return `${pick(random, ["", "", "", "!"])}${pick(random, ["", "", "/"])}${plain}${pick(random, ["", "", "/", " "])}`;
}

function randomPath(random: Random): string {
  const name = (): string =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(random, ["a", "b", "x", ".", "*", "-"])).join("");
  const plain = (): string => name().replace(/^\.{1,2}$/, "a");
  return Array.from({ length: 1 + Math.floor(random() * 3) }, plain).join("/");
}
