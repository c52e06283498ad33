import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pick, type Random, seeded } from "../../test/support/random.ts";
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

test("what git leaves out is left out, whatever the pattern", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dex-ignore-")));
  try {
    execFileSync("git", ["init", "--quiet", folder], { stdio: "ignore" });
    const random = seeded(7);
    const cases = Array.from({ length: 400 }, (_, i) => {
      const lines = Array.from({ length: 1 + Math.floor(random() * 3) }, () => randomPattern(random));
      mkdirSync(join(folder, `d${i}`));
      writeFileSync(join(folder, `d${i}`, ".gitignore"), `${lines.join("\n")}\n`);
      const paths = Array.from({ length: 12 }, () => randomPath(random));
      return { i, text: lines.join("\n"), paths: [...new Set(paths)] };
    });
    const asked = cases.flatMap(({ i, paths }) => paths.map((path) => `d${i}/${path}`));
    const run = spawnSync("git", ["-C", folder, "check-ignore", "--no-index", "-z", "--stdin"], {
      input: asked.join("\0"),
      encoding: "utf8",
    });
    const ignored = new Set(run.stdout.split("\0"));
    assert.ok(ignored.size > 500 && ignored.size < asked.length - 500, `${ignored.size} of ${asked.length}`);
    for (const { i, text, paths } of cases) {
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
});

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
  // Git 2.39 reads "a**/" by where the text lies in memory.
  const plain = path.replace(/([^/*])\*{2,}/g, "$1*").replace(/\*{2,}(?=[^/*])/g, "*");
  return `${pick(random, ["", "", "", "!"])}${pick(random, ["", "", "/"])}${plain}${pick(random, ["", "", "/", " "])}`;
}

function randomPath(random: Random): string {
  const name = (): string =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(random, ["a", "b", "x", ".", "*", "-"])).join("");
  const plain = (): string => name().replace(/^\.{1,2}$/, "a");
  return Array.from({ length: 1 + Math.floor(random() * 3) }, plain).join("/");
}
