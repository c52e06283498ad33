/** Questions about a project's past to the built program: commits and decisions answer, and what they do not say is refused. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { TestHome } from "../support/program/dex.ts";

interface Outcome {
  answer: string;
  sources: { collection: string; document: string; section?: string }[];
  confidence: string;
}

const SECRET = ["ghp", "_", "x7Kp2mQ9vR4tY8wZ1nB6cD3fG5hJ0kL2sA4e"].join("");
let home: TestHome;

before(() => {
  home = new TestHome();
  const project = join(home.home, "shop");
  mkdirSync(project, { recursive: true });
  home.cwd = project;
  commit("feat: add the basket", "", "basket.ts", "export const basket = 1;\n");
  commit(
    "Remove the thumbnail cache",
    `It grew without a limit, because old thumbnails were never evicted, and filled the disk of the shop.\nThe token was ${SECRET}.\n\nReviewed-by: Ada <ada@example.com>\nChange-Id: I123`,
    "cache.ts",
    "/** Removes every thumbnail of the cache. */\nexport function clearThumbnailCache() {}\n",
  );
  commit("feat: compress invoices", "Invoices are large.", "invoice.ts", "export const invoice = 1;\n");
  const decided = home.run("decide", "Prices are integers of cents", "--because", "floats lost a cent in sums");
  assert.equal(decided.status, 0, decided.stderr);
});

function git(...args: string[]): void {
  const ran = spawnSync("git", ["-c", "user.name=Grace", "-c", "user.email=g@example.com", ...args], { cwd: home.cwd });
  assert.equal(ran.status, 0, String(ran.stderr));
}

function commit(subject: string, body: string, file: string, text: string): void {
  if (file === "basket.ts") git("init", "-q");
  writeFileSync(join(home.cwd, file), text);
  git("add", "-A");
  git("commit", "-q", "-m", subject, ...(body === "" ? [] : ["-m", body]));
}

function asked(query: string): Outcome & { status: number | null } {
  const { status, stdout, stderr } = home.run("ask", query, "--json");
  assert.ok(status === 0 || status === 1, stderr);
  return { ...(JSON.parse(stdout) as Outcome), status };
}

test("a question for a reason is answered by the message of a commit, without its trailers and secrets", () => {
  const { answer, sources, confidence } = asked("why was the thumbnail cache removed?");
  assert.equal(sources[0]?.collection, "commits");
  assert.match(sources[0]?.section ?? "", /^Remove the thumbnail cache \(\d{4}-\d\d-\d\d, Grace\)$/);
  assert.match(answer, /grew without a limit, because old thumbnails were never evicted/);
  assert.doesNotMatch(answer, /Reviewed-by|Change-Id/);
  assert.ok(!answer.includes(SECRET));
  assert.notEqual(confidence, "high");
});

test("a saved decision answers with its reason", () => {
  const { answer, sources } = asked("why are prices integers of cents?");
  assert.equal(sources[0]?.collection, "decisions");
  assert.match(answer, /floats lost a cent in sums/);
});

test("who and when are answered by commits", () => {
  const { sources } = asked("who removed the thumbnail cache?");
  assert.match(sources[0]?.section ?? "", /Grace/);
});

test("commits without a reason, and presumed changes, are not given as answers", () => {
  for (const query of ["why was the basket added?", "why did we choose MongoDB?"]) {
    const { status, sources } = asked(query);
    assert.deepEqual([status, sources.length], [1, 0], query);
  }
});
