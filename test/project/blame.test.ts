/** Blame of ranges, files and symbols, and shares of lines, on real repositories and invented conversations. */
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writeDialogue } from "../support/histories/dialogue.ts";
import { TestHome } from "../support/program/dex.ts";
import { GIT_VARS, TestRepository, temporaryFolder } from "../support/repository.ts";

const ID = "aaaa1111-0000-4000-8000-000000000001";
const LATER = "bbbb2222-0000-4000-8000-000000000002";

interface Range {
  file: string;
  first: number;
  last: number;
  text: string;
  commit?: { sha: string; boundary?: true };
  unknown?: true;
  conversation?: { id: string; date: string };
  written_by?: { address: string };
}
interface Blame {
  ranges: Range[];
  next?: string;
  summary?: {
    files: number;
    lines: number;
    by_agent: { agent: string; lines: number; made: number; named: number }[];
    by_conversation: { id: string; lines: number }[];
    by_age: { period: string; lines: number }[];
    unreadable: number;
  };
}

const FIRST = "export function openPool() {\n  return createConnections(1);\n}\n";
const SECOND = `${FIRST}\nexport function closePool() {\n  closeIdleConnections(30);\n  forgetConnections();\n}\n`;

/** The second commit was made in a conversation. */
function scene(): { home: TestHome; repo: TestRepository; first: string; second: string; at: string[] } {
  const home = new TestHome({ vars: GIT_VARS });
  const repo = new TestRepository();
  const first = repo.commit("feat: begin", { "src/pool.ts": FIRST, "README.md": "# Pools\n" });
  const start = repo.clock + 10_000;
  const second = repo.commit("feat: close pools", { "src/pool.ts": SECOND });
  writeDialogue(
    home.home,
    ID,
    [
      { user: "Close pools, too." },
      { tool: "Write", input: { file_path: join(repo.root, "src/pool.ts"), content: SECOND } },
      {
        command: "git commit -am x",
        output: `[main ${second.slice(0, 7)}] feat: close pools\n 1 file changed, 5 insertions(+)\n`,
      },
    ],
    { start, cwd: repo.root },
  );
  return { home, repo, first, second, at: ["--repository", repo.root] };
}

test("a file is blamed in ranges of lines with the same commit and message", () => {
  const { home, repo, first, second, at } = scene();
  const whole = home.json<Blame>("blame", "src/pool.ts", ...at);
  assert.deepEqual(
    whole.ranges.map(({ first: from, last, commit, conversation, written_by }) => [
      from,
      last,
      commit?.sha,
      conversation?.id,
      written_by?.address,
    ]),
    [
      [1, 3, first, undefined, undefined],
      [4, 8, second, ID, `${ID}#1`],
    ],
    "short lines such as } go with the line above them",
  );
  assert.equal(whole.ranges.map(({ text }) => text).join("\n"), SECOND.trimEnd());
  const { traces } = home.json<{ traces: { ranking: unknown[] }[] }>("traces", "--tail", "1");
  assert.equal(traces[0]?.ranking.length, 2);
  const page = home.json<Blame>("blame", "src/pool.ts", "--limit", "1", ...at);
  assert.deepEqual([page.ranges.length, page.next], [1, "src/pool.ts:4-8"]);
  const rest = home.json<Blame>("blame", page.next ?? "", ...at);
  assert.deepEqual(
    rest.ranges.map(({ first: from, last }) => [from, last]),
    [[4, 8]],
  );
  const symbol = home.json<Blame>("blame", "--symbol", "openPool", ...at);
  assert.deepEqual([symbol.ranges[0]?.first, symbol.ranges.at(-1)?.last], [1, 3]);
  assert.match(home.run("blame", "--symbol", "noSuchName", ...at).stderr, /No definition of "noSuchName"/);
  assert.match(home.run("blame", ...at).stderr, /Name the lines to blame/);
  const lines = repo.git("blame", "-w", "-M", "--porcelain", "src/pool.ts").match(/^[0-9a-f]{40} \d+ \d+/gm) ?? [];
  const ours = whole.ranges.flatMap(({ first: from, last, commit }) =>
    Array.from({ length: last - from + 1 }, () => commit?.sha),
  );
  assert.deepEqual(
    ours,
    lines.map((line) => line.slice(0, 40)),
  );
});

test("a file or a line that git does not have is named, with the next step", () => {
  const { home, repo, at } = scene();
  const says = (place: string): string => home.run("blame", place, ...at).stderr;
  assert.equal(
    says("src/none.ts"),
    `dex: There is no file src/none.ts in ${repo.root}.\nCheck the path; it is relative to the current folder.\n`,
  );
  assert.equal(says("src/pol.ts"), `dex: There is no file src/pol.ts in ${repo.root}.\nDid you mean src/pool.ts?\n`);
  assert.match(says("src/pool.ts:900-910"), /^dex: src\/pool\.ts has 8 lines, so line 900 does not exist\.\n$/);
  assert.equal(
    says("src:1-20"),
    "dex: src is a folder, which has no lines of its own.\n`dex blame src` counts the lines of all its files.\n",
  );
  repo.write("src/new.ts", "export const limit = 1;\n");
  assert.match(says("src/new.ts"), /not in a commit yet.*\n`dex history src\/new\.ts` shows/);
});

test("lines that are not committed yet lead to the conversation that wrote them", () => {
  const { home, repo, at } = scene();
  const line = "export const poolLimit = 12;";
  repo.write("src/pool.ts", `${SECOND}${line}\n`);
  writeDialogue(
    home.home,
    LATER,
    [
      { user: "Add a limit." },
      {
        tool: "Edit",
        input: { file_path: join(repo.root, "src/pool.ts"), old_string: "", new_string: line },
      },
    ],
    { start: Date.now() - 3_600_000, cwd: repo.root },
  );
  const [range] = home.json<Blame>("blame", "src/pool.ts:9", ...at).ranges;
  assert.deepEqual([range?.commit, range?.written_by?.address], [undefined, `${LATER}#1`]);
});

test("a summary counts the lines of agents, conversations and ages, and equals git's own counts", () => {
  const { home, repo, at } = scene();
  repo.commit("docs: usage\n\nCo-authored-by: Claude <noreply@anthropic.com>", {
    "README.md": "# Pools\n\nUse them.\n",
  });
  const { summary } = home.json<Blame>("blame", "--summary", ...at);
  assert.deepEqual([summary?.files, summary?.lines], [2, 11]);
  assert.deepEqual(
    summary?.by_agent.map(({ agent, lines, made, named }) => [agent, lines, made, named]),
    [
      ["Claude Code", 7, 5, 2],
      ["people", 4, 0, 0],
    ],
  );
  assert.deepEqual(
    summary?.by_conversation.map(({ id, lines }) => [id, lines]),
    [[ID, 5]],
  );
  assert.deepEqual(
    summary?.by_age.map(({ period, lines }) => [period, lines]),
    [["2026-01", 11]],
  );
  repo.commit("docs: shorter", { "README.md": "# Pools\n" });
  assert.equal(home.json<Blame>("blame", "--summary", ...at).summary?.lines, 9, "stored counts of changed files end");
  assert.equal(home.json<Blame>("blame", "src", "--summary", ...at).summary?.lines, 8);
  assert.match(home.run("blame", "--summary", ...at).stdout, /By agent\n +55\.6% +5 {2}Claude Code/);
  assert.equal(home.run("blame", "nowhere", "--summary", ...at).status, 1);
});

test("a missing version of a file leaves the rest of the answers", () => {
  const { home, repo, first, second, at } = scene();
  const third = repo.commit("feat: third", { "src/pool.ts": SECOND.replace("(30)", "(60)") });
  const blob = repo.git("rev-parse", `${first}:src/pool.ts`).trim();
  rmSync(join(repo.root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
  const history = home.run("history", "src/pool.ts", ...at);
  assert.equal(history.status, 0);
  assert.match(history.stderr, /objects are missing from the repository, so 2 commits could not be read in full/);
  for (const sha of [first, second, third]) assert.ok(history.stdout.includes(sha.slice(0, 9)));
  const blame = home.json<Blame>("blame", "src/pool.ts", ...at);
  assert.deepEqual(
    blame.ranges.map(({ first: from, last, commit, unknown }) => [from, last, commit?.sha, unknown]),
    [
      [1, 5, undefined, true],
      [6, 6, third, undefined],
      [7, 8, undefined, true],
    ],
  );
  const run = home.run("blame", "src/pool.ts", ...at);
  assert.match(
    run.stderr,
    /The commits of 7 lines are unknown: the repository lacks earlier versions of src\/pool\.ts/,
  );
  assert.match(run.stdout, /commit unknown/);
  const { summary } = home.json<Blame>("blame", "--summary", ...at);
  assert.deepEqual([summary?.files, summary?.unreadable], [1, 1]);
});

test("in a shallow clone, lines of its first commit may be older", () => {
  const { home, repo, second } = scene();
  const shallow = join(temporaryFolder(), "clone");
  repo.git("clone", "--quiet", "--depth=1", `file://${repo.root}`, shallow);
  const at = ["--repository", shallow];
  const { ranges } = home.json<Blame>("blame", "src/pool.ts", ...at);
  assert.deepEqual(
    ranges.map(({ commit, conversation }) => [commit?.sha, commit?.boundary, conversation]),
    ranges.map(() => [second, true, undefined]),
  );
  assert.match(home.run("blame", "src/pool.ts", ...at).stdout, /or an older commit: the clone is shallow/);
  const { summary } = home.json<Blame>("blame", "--summary", ...at);
  assert.deepEqual(
    summary?.by_agent.map(({ agent }) => agent),
    ["unknown"],
  );
  assert.equal(readFileSync(join(shallow, "src/pool.ts"), "utf8"), SECOND);
});
