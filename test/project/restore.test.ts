/** `dex restore`: files reconstructed from recorded writes, edits, patches and reads. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Turn, writeDialogue } from "../support/histories/dialogue.ts";
import { TestHome } from "../support/program/dex.ts";
import { GIT_VARS, TestRepository, temporaryFolder } from "../support/repository.ts";

const ID = "aaaa1111-0000-4000-8000-000000000001";

interface Restored {
  text?: string;
  base?: string;
  base_commit?: string;
  redacted?: number;
  missing: { address: string; why?: string }[];
  version?: { address: string };
  versions?: { address: string; known: boolean; how: string }[];
  written?: string;
}

function scene(turns: (file: string) => Turn[]): { home: TestHome; repo: TestRepository; at: string[] } {
  const home = new TestHome({ vars: GIT_VARS });
  const repo = new TestRepository();
  repo.commit("feat: begin", { "src/a.ts": "one();\ntwo();\nthree();\n" });
  writeDialogue(home.home, ID, turns(join(repo.root, "src/a.ts")), { start: repo.clock + 10_000, cwd: repo.root });
  return { home, repo, at: ["--repository", repo.root] };
}

test("a file is restored from a write and the edits after it; a failed edit is left out", () => {
  const { home, at } = scene((file) => [
    { user: "Write it." },
    { tool: "Write", input: { file_path: file, content: "alpha();\nbeta();\n" } },
    { tool: "Edit", input: { file_path: file, old_string: "beta();", new_string: "gamma();" } },
    { tool: "Edit", input: { file_path: file, old_string: "alpha();", new_string: "never();" }, failed: true },
    {
      tool: "apply_patch",
      input: {
        input:
          "*** Begin Patch\n*** Update File: src/a.ts\n@@ alpha();\n alpha();\n-gamma();\n+delta();\n+epsilon();\n*** End Patch",
      },
    },
  ]);
  const restored = home.json<Restored>("restore", "src/a.ts", ...at);
  assert.deepEqual(
    [restored.text, restored.base, restored.missing, restored.version?.address],
    ["alpha();\ndelta();\nepsilon();\n", "write", [], `${ID}#7`],
  );
  assert.equal(home.run("restore", "src/a.ts", ...at).stdout, "alpha();\ndelta();\nepsilon();\n");
  assert.equal(home.json<Restored>("restore", "src/a.ts", "--at", `${ID}#3`, ...at).text, "alpha();\ngamma();\n");
  const same = home.json<Restored>("restore", "src/a.ts", "--conversation", ID, "--at", "2", ...at);
  assert.equal(same.text, "alpha();\nbeta();\n");
  const { versions } = home.json<Restored>("restore", "src/a.ts", "--list", ...at);
  assert.deepEqual(
    versions?.map(({ how, known }) => [how, known]),
    [
      ["patch", true],
      ["replace", true],
      ["write", true],
    ],
  );
});

test("edits alone begin with the last commit before them, or with a whole read", () => {
  const edit = (file: string): Turn => ({
    tool: "Edit",
    input: { file_path: file, old_string: "two();", new_string: "second();" },
  });
  const committed = scene((file) => [{ user: "Rename." }, edit(file)]);
  const fromCommit = committed.home.json<Restored>("restore", "src/a.ts", ...committed.at);
  assert.deepEqual(
    [fromCommit.text, fromCommit.base, fromCommit.base_commit],
    ["one();\nsecond();\nthree();\n", "commit", committed.repo.head],
  );
  assert.match(committed.home.run("restore", "src/a.ts", ...committed.at).stderr, /the rest is from commit/);
  const read = scene((file) => [
    { user: "Rename." },
    { tool: "Read", input: { file_path: file }, output: "1\tuncommitted();\n2\ttwo();" },
    edit(file),
  ]);
  const fromRead = read.home.json<Restored>("restore", "src/a.ts", ...read.at);
  assert.deepEqual([fromRead.text, fromRead.base], ["uncommitted();\nsecond();\n", "read"]);
});

test("lines that the conversation read show what nothing recorded had changed", () => {
  const rows = (from: number, lines: readonly string[]): string =>
    lines.map((line, i) => `${String(from + i).padStart(6)}\t${line}`).join("\n");
  const body = ["one();", "two();", "three();", "four();", "five();", "six();"];
  const read = (from: number, lines: readonly string[]) => (file: string) => [
    { user: "Change six." },
    { tool: "Read", input: { file_path: file, offset: from, limit: lines.length }, output: rows(from, lines) },
    { tool: "Edit", input: { file_path: file, old_string: "six();", new_string: "seven();" } },
  ];
  const restored = (turns: (file: string) => Turn[]): Restored => {
    const { home, repo, at } = scene(turns);
    repo.clock -= 60_000;
    repo.commit("feat: six", { "src/a.ts": `${body.join("\n")}\n` });
    return home.json<Restored>("restore", "src/a.ts", ...at);
  };
  const changed = ["one();", "TWO();", "three();", "four();"];
  assert.equal(restored(read(1, changed)).text, "one();\nTWO();\nthree();\nfour();\nfive();\nseven();\n");
  assert.equal(restored(read(2, body.slice(1, 4))).text, `${body.slice(0, 5).join("\n")}\nseven();\n`);
  // Lines that moved: no commit has the file as it was.
  const { home, repo, at } = scene(read(1, ["zero();", ...body.slice(0, 4)]));
  repo.clock -= 60_000;
  repo.commit("feat: six", { "src/a.ts": `${body.join("\n")}\n` });
  assert.match(home.run("restore", "src/a.ts", ...at).stderr, /content before this edit is unknown|cannot be restored/);
});

test("an edit that does not fit is reported, never guessed", () => {
  const { home, at } = scene((file) => [
    { user: "Write it." },
    { tool: "Write", input: { file_path: file, content: "alpha();\nalpha();\n" } },
    { tool: "Edit", input: { file_path: file, old_string: "alpha();", new_string: "beta();" } },
    { tool: "Edit", input: { file_path: file, old_string: "nowhere();", new_string: "beta();" } },
  ]);
  const restored = home.json<Restored>("restore", "src/a.ts", ...at);
  assert.equal(restored.text, "alpha();\nalpha();\n");
  assert.deepEqual(
    restored.missing.map(({ address, why }) => [address, why]),
    [
      [`${ID}#3`, "the text that it replaces occurs several times"],
      [`${ID}#5`, "the file's content before this edit is unknown"],
    ],
  );
  assert.match(home.run("restore", "src/a.ts", ...at).stderr, /2 later edits could not be applied/);
  const never = home.run("restore", "src/never.ts", ...at);
  assert.deepEqual([never.status, /No conversation here wrote .*, as far as dex knows/.test(never.stderr)], [1, true]);
});

test("it is written only where it may be, and redacted text stays redacted", () => {
  const key = "ghp_wQ7rT2yU9iO4pA6sD8fG1hJ3kL5zX0cV2bN7";
  const { home, repo, at } = scene((file) => [
    { user: "Write it." },
    { tool: "Write", input: { file_path: file, content: `const key = "${key}";\n` } },
  ]);
  const restored = home.json<Restored>("restore", "src/a.ts", ...at);
  assert.ok(!restored.text?.includes(key));
  assert.equal(restored.redacted, 1);
  const output = join(repo.root, "out.ts");
  const written = home.run("restore", "src/a.ts", "--output", output, ...at);
  assert.match(written.stderr, /1 part of the file was redacted/);
  assert.equal(readFileSync(output, "utf8"), restored.text);
  assert.match(home.run("restore", "src/a.ts", "--output", output, ...at).stderr, /exists already/);
  writeFileSync(output, "mine");
  assert.equal(home.run("restore", "src/a.ts", "--output", output, "--force", ...at).status, 0);
  assert.equal(readFileSync(output, "utf8"), restored.text);
  const outside = temporaryFolder();
  const refused = (path: string): string => home.run("restore", "src/a.ts", "--output", path, "--force", ...at).stderr;
  assert.match(refused(join(outside, "x.ts")), /neither in the repository/);
  symlinkSync(outside, join(repo.root, "link"));
  assert.match(refused(join(repo.root, "link/x.ts")), /neither in the repository/);
  assert.match(refused(join(repo.root, ".git/config")), /neither in the repository/);
  mkdirSync(join(repo.root, "folder"));
  assert.match(refused(join(repo.root, "folder")), /not a regular file/);
});
