/** The pure parts of a history: trailers, hunks, blocks, partners. */
import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { TestRepository, temporaryFolder } from "../../test/support/repository.ts";
import { openHistory } from "../store/engine/history.ts";
import type { Touch } from "../store/history_records.ts";
import { blameLines } from "./blame/lines.ts";
import { coChanges, pathSimilarity, rankPartners } from "./cochange/cochange.ts";
import { coChangeGaps, togetherShare, workingChanges } from "./cochange/gaps.ts";
import { historyPath } from "./place.ts";
import { repositoryOrFolder } from "./repository.ts";
import { blockEnd, commitsOfLines, definedName, locateByText, namesInDiff, symbolsPerCommit } from "./symbols.ts";
import { breakingChange, parseTrailers, revertedCommit, withoutTrailers } from "./trailers.ts";
import { updateHistory } from "./update.ts";

test("trailers are the last paragraph, when it is made of them", () => {
  assert.deepEqual(parseTrailers("Why it is so.\n\nDecision: use WAL\n  for all files\nRefs #12"), [
    { key: "Decision", value: "use WAL for all files" },
    { key: "Refs", value: "12" },
  ]);
  assert.deepEqual(parseTrailers("Note: this is prose\nthat goes on for a while\nand on\nand on\nand on"), []);
  const signed = "Because it hung.\n\n---------\n\nCo-authored-by: A <a@example.com>\nSigned-off-by: B <b@example.com>";
  assert.equal(withoutTrailers(signed), "Because it hung.");
  assert.equal(withoutTrailers("Note: it hung\nwithout a key.\nFixes #12"), "Note: it hung\nwithout a key.");
  assert.equal(
    withoutTrailers("BREAKING CHANGE: v1 is gone, because nobody used it"),
    "BREAKING CHANGE: v1 is gone, because nobody used it",
  );
  assert.equal(withoutTrailers("Closes: #7\r\n"), "");
  assert.deepEqual(parseTrailers("Decision: not last\n\nSome prose at the end."), []);
  assert.deepEqual(parseTrailers(""), []);
});

test("breaking changes and reverts by their usual words", () => {
  assert.equal(breakingChange("feat(api)!: drop v1", "")?.text, "drop v1");
  const body = "More.\n\nBREAKING CHANGE: v1 is gone,\nuse v2.\nReviewed-by: B";
  assert.equal(breakingChange("feat: x", body)?.text, "v1 is gone, use v2.");
  assert.equal(breakingChange("feat: wow! nice", ""), undefined);
  assert.equal(revertedCommit('Revert "x"\n\nThis reverts commit 1234567890abcdef.'), "1234567890abcdef");
});

test("definitions are recognised by their line, in several languages", () => {
  const lines: [string, string | undefined][] = [
    ["export async function readAll(x: string) {", "readAll"],
    ["  static final class Inner {", "Inner"],
    ["def parse(text):", "parse"],
    ["func (s *Store) Close() error {", "Close"],
    ["pub(crate) fn open_at(path: &Path) -> Self {", "open_at"],
    ["  render(width: number): string {", "render"],
    ["  if (a) {", undefined],
    ["  return call(a, b);", undefined],
    ["const LIMIT = 3;", "LIMIT"],
  ];
  for (const [line, name] of lines) assert.equal(definedName(line), name, line);
  const diff =
    "@@ -3,2 +3,4 @@ class Store {\n+  x\n@@ -9 +9 @@\n+export function added() {\n-const gone = 1;\n--- a/x";
  assert.deepEqual(namesInDiff(diff), ["Store", "added", "gone"]);
  const statements = [
    "\tstopWrite()",
    "  if ready(x):",
    "\tdefer func() {",
    "    } else if (done(x)) {",
    "  await end()",
  ];
  for (const line of statements) assert.equal(definedName(line), undefined, line);
  assert.equal(definedName("    public void Close(int code)"), "Close");
  assert.deepEqual(namesInDiff("@@ -1 +1,3 @@\n+\tvar byValue *Error\n+\tclose() {\n+\t\topen() {\n"), ["close"]);
});

test("a block ends where its indentation comes back", () => {
  const code = [
    "class A {",
    "  one() {",
    "    return 1;",
    "  }",
    "",
    "  two() {}",
    "}",
    "def f(",
    "    x,",
    "):",
    "    return x",
    "y = 1",
  ];
  assert.equal(blockEnd(code, 2), 4);
  assert.equal(blockEnd(code, 1), 7);
  assert.equal(blockEnd(["def f(x):", "    return x", "", "y = 1"], 1), 2);
});

test("a symbol's commits are those that changed its lines", async () => {
  const repo = new TestRepository();
  const code = (one: number, two: number): string =>
    `function one() {\n  return ${one};\n}\n\nfunction two() {\n  return ${two};\n}\n`;
  const first = repo.commit("both", { "src/a.ts": code(1, 1) });
  const second = repo.commit("one alone", { "src/a.ts": code(2, 1) });
  repo.commit("two alone", { "src/a.ts": code(2, 2) });
  const project = repositoryOrFolder(repo.root);
  const [place] = await locateByText(project, "one");
  assert.deepEqual(place, { file: "src/a.ts", first: 1, last: 3 });
  assert.deepEqual(await commitsOfLines(project, place ?? { file: "", first: 0, last: 0 }, 10), [second, first]);
  assert.deepEqual(await locateByText(project, "nothing"), []);
  assert.deepEqual(await locateByText(project, "$(touch gone)"), []);
});

test("partners: newer commits weigh more, and similar paths rank higher", () => {
  const touch = (time: number, ...files: string[]): { time: number; files: string[] } => ({ time, files });
  const old = Array.from({ length: 20 }, (_, i) => touch(100 - i, "a.ts", "old.ts"));
  const recent = Array.from({ length: 20 }, (_, i) => touch(200 - i, "a.ts", "new.ts"));
  const ranked = rankPartners("a.ts", [...recent, ...old], () => 20, 100);
  assert.deepEqual(
    ranked.map(({ path }) => path),
    ["new.ts", "old.ts"],
  );
  assert.equal(ranked[0]?.confidence, 0.5);
  const equal = rankPartners("src/a.ts", [touch(1, "src/a.ts", "docs/z.md", "src/a.test.ts")], () => 1, 10);
  assert.equal(equal[0]?.path, "src/a.test.ts");
  assert.ok(pathSimilarity("src/a.ts", "src/a.test.ts") > pathSimilarity("src/a.ts", "src/b.ts"));
  assert.ok(pathSimilarity("src/a.ts", "src/b.ts") > pathSimilarity("src/a.ts", "docs/c.md"));
});

test("a co-changed file that is missing from the working changes is found", async () => {
  const repo = new TestRepository();
  repo.commit("begin");
  for (let i = 0; i < 8; i += 1)
    repo.commit(`c${i}`, { "schema.sql": `${i}`, "docs/schema.md": `${i}`, [`x${i}`]: "x" });
  repo.write("schema.sql", "changed");
  const project = repositoryOrFolder(repo.root);
  const folder = temporaryFolder();
  await updateHistory(project, folder);
  const history = openHistory(historyPath(folder, project));
  const changed = await workingChanges(project);
  assert.deepEqual(changed, ["schema.sql"]);
  assert.deepEqual(coChangeGaps(project, history, changed), [
    { file: "schema.sql", missing: "docs/schema.md", support: 8, confidence: 1 },
  ]);
  repo.write("docs/schema.md", "changed too");
  assert.deepEqual(coChangeGaps(project, history, await workingChanges(project)), []);
  assert.equal(coChanges(history, "nothing.ts", 5).length, 0);
  history.close();
});

test("how sure a missing change is depends on the commits that are larger than the change", () => {
  const commits = (count: number, ...files: string[]) =>
    Array.from({ length: count }, (_, at) => ({ time: 100 - at, files }));
  const share = (own: Touch[], partners: Touch[], changed: number): number | undefined =>
    togetherShare((path) => (path === "a" ? own : partners), "a", "b", changed);
  const pairs = commits(20, "a", "b", "c");
  assert.equal(share(pairs, pairs, 1), 1);
  // Three files changed in each of those commits, and ten are changed now: this is another kind of change.
  assert.equal(share(pairs, pairs, 10), undefined);
  // The last commit did without, the partner often changes alone, or there are few commits.
  assert.equal(share([...commits(1, "a", "c"), ...pairs], pairs, 1), undefined);
  assert.equal(share(pairs, [...commits(10, "b", "c"), ...commits(10, "a", "b")], 1), undefined);
  assert.equal(share(commits(4, "a", "b"), commits(4, "a", "b"), 1), undefined);
  assert.equal(share([], [], 0), undefined);
  const once = [...commits(15, "a", "b"), ...commits(1, "a", "c"), ...commits(24, "a", "b")];
  assert.equal(share(once, pairs, 1), 39 / 40);
});

test("a repository's own settings start no program", async () => {
  const repo = new TestRepository();
  repo.commit("one", { "a.ts": "export function one() {\n  return 1;\n}\n", ".gitattributes": "*.ts diff=evil\n" });
  repo.commit("two", { "a.ts": "export function one() {\n  return 2;\n}\n" });
  const trap = join(temporaryFolder(), "started");
  const script = join(temporaryFolder(), "trap.sh");
  writeFileSync(script, `#!/bin/sh\ntouch '${trap}'\ncat "$1" 2>/dev/null\n`, { mode: 0o755 });
  for (const name of [
    "core.fsmonitor",
    "diff.external",
    "diff.evil.textconv",
    "diff.evil.command",
    "core.pager",
    "gpg.program",
  ]) {
    repo.git("config", name, script);
  }
  repo.git("config", "log.showSignature", "true");
  rmSync(trap, { force: true });
  const project = repositoryOrFolder(repo.root);
  const folder = temporaryFolder();
  await updateHistory(project, folder);
  repo.write("a.ts", "changed\n");
  assert.deepEqual(await workingChanges(project), ["a.ts"]);
  repo.write("a.ts", "export function one() {\n  return 2;\n}\n");
  const [place] = await locateByText(project, "one");
  assert.equal((await commitsOfLines(project, place ?? { file: "", first: 0, last: 0 }, 10)).length, 2);
  assert.equal((await blameLines(project, "a.ts", { from: 2, to: 2 }))[0]?.text, "  return 2;");
  assert.equal((await symbolsPerCommit(project, [repo.head], ["a.ts"])).size, 1);
  assert.ok(!existsSync(trap), "nothing was started");
  repo.git("show", "HEAD");
  assert.ok(existsSync(trap), "git by itself does start it");
});
