/** Conversations held in another folder of the same repository: moved, cloned elsewhere, on another machine. */
import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Turn, writeDialogue } from "../support/histories/dialogue.ts";
import { TestHome } from "../support/program/dex.ts";
import { GIT_VARS, TestRepository, temporaryFolder } from "../support/repository.ts";

const ID = "aaaa1111-0000-4000-8000-000000000001";
const OTHER = "bbbb2222-0000-4000-8000-000000000002";
const AWAY = "/home/grace/work/pool-service";

interface Copies {
  copies: { folder: string; state: string; conversations: number; why: string }[];
}
interface Blame {
  ranges: { conversation?: { id: string }; written_by?: { address: string } }[];
}

const FILES = {
  "src/pool/connections.ts": "export const connections = 12;\n",
  "src/pool/timeouts.ts": "export const timeouts = 30;\n",
  "src/pool/retries.ts": "export const retries = 5;\n",
  "README.md": "# Pools\n",
};

function scene(): { home: TestHome; repo: TestRepository } {
  const home = new TestHome({ vars: GIT_VARS });
  const repo = new TestRepository(join(temporaryFolder(), "pool-service"));
  repo.commit("feat: begin", FILES);
  return { home, repo };
}

function edits(root: string, paths: readonly string[]): Turn[] {
  return paths.map((path) => ({
    tool: "Write",
    input: { file_path: `${root}/${path}`, content: FILES[path as keyof typeof FILES] ?? "other\n" },
  }));
}

/** The folders that `dex doctor` reports after a question about the history. */
function copiesOf(home: TestHome, root: string): Copies["copies"] {
  home.cwd = root;
  home.json("history", "README.md");
  return home.json<Copies>("doctor").copies;
}

test("a commit made in another folder joins it: blame leads to its conversations", () => {
  const { home, repo } = scene();
  const start = repo.clock + 10_000;
  const line = "export const connections = countConnections();";
  const made = repo.commit("feat: count connections", { "src/pool/connections.ts": `${line}\n` });
  writeDialogue(
    home.home,
    ID,
    [
      { user: "Count them." },
      {
        tool: "Edit",
        input: {
          file_path: `${AWAY}/src/pool/connections.ts`,
          old_string: "export const connections = 12;",
          new_string: line,
        },
      },
      {
        command: "git commit -am x",
        output: `[main ${made.slice(0, 7)}] feat: count connections\n 1 file changed, 1 insertion(+)\n`,
      },
    ],
    { start, cwd: AWAY },
  );
  assert.deepEqual(
    copiesOf(home, repo.root).map(({ folder, state, conversations }) => [folder, state, conversations]),
    [[AWAY, "joined", 1]],
  );
  const [range] = home.json<Blame>("blame", "src/pool/connections.ts:1", "--repository", repo.root).ranges;
  assert.deepEqual([range?.conversation?.id, range?.written_by?.address], [ID, `${ID}#1`]);
  assert.match(home.run("history", "README.md", "--repository", repo.root).stdout, /1 copy of the repository/);
  home.run("config", "set", "history.copies", JSON.stringify({ [AWAY]: false }));
  const [refused] = home.json<Blame>("blame", "src/pool/connections.ts:1", "--repository", repo.root).ranges;
  assert.equal(refused?.written_by, undefined, "the setting refuses the folder");
  assert.deepEqual(copiesOf(home, repo.root), []);
});

test("the same name and the same files join a folder; the name alone, or common files, do not", () => {
  const { home, repo } = scene();
  const start = repo.clock + 10_000;
  const paths = Object.keys(FILES);
  writeDialogue(home.home, ID, [{ user: "Tidy up." }, ...edits(AWAY, paths)], { start, cwd: AWAY });
  const unrelated = "/home/alan/pool-service";
  writeDialogue(
    home.home,
    OTHER,
    [{ user: "Start." }, ...edits(unrelated, ["README.md", "src/index.ts", "lib/other.ts"])],
    { start, cwd: unrelated },
  );
  const elsewhere = "/home/alan/swimming";
  writeDialogue(home.home, "cccc3333-0000-4000-8000-000000000003", [{ user: "Go." }, ...edits(elsewhere, paths)], {
    start,
    cwd: elsewhere,
  });
  assert.deepEqual(
    copiesOf(home, repo.root).map(({ folder, state }) => [folder, state]),
    [
      [AWAY, "joined"],
      [unrelated, "unsure"],
    ],
  );
  home.run("config", "set", "history.copies", JSON.stringify({ [unrelated]: repo.root }));
  const confirmed = copiesOf(home, repo.root).find(({ folder }) => folder === unrelated);
  assert.deepEqual([confirmed?.state, confirmed?.why.includes("confirmed by history.copies")], ["joined", true]);
});

test("a clone that is still there is known by the first commit, another repository of that name is not", () => {
  const { home, repo } = scene();
  const clone = join(temporaryFolder(), "experiment");
  repo.git("clone", "--quiet", repo.root, clone);
  const foreign = new TestRepository(join(temporaryFolder(), "pool-service"));
  foreign.commit("feat: other", FILES);
  const start = repo.clock + 10_000;
  writeDialogue(home.home, ID, [{ user: "Try it." }, { agent: "Tried." }], { start, cwd: clone });
  writeDialogue(home.home, OTHER, [{ user: "Tidy." }, ...edits(foreign.root, Object.keys(FILES))], {
    start,
    cwd: foreign.root,
  });
  assert.deepEqual(
    copiesOf(home, repo.root).map(({ folder, state, why }) => [folder, state, why]),
    [[clone, "joined", "it has the same first commit"]],
  );
});

test("a repository that was moved keeps its conversations, also those of a folder in it", () => {
  const { home, repo } = scene();
  const start = repo.clock + 10_000;
  writeDialogue(home.home, ID, [{ user: "Tidy up." }, ...edits(repo.root, Object.keys(FILES))], {
    start,
    cwd: join(repo.root, "src/pool"),
  });
  const moved = join(temporaryFolder(), "pool-service");
  renameSync(repo.root, moved);
  const [copy] = copiesOf(home, moved);
  assert.deepEqual([copy?.folder, copy?.state, copy?.conversations], [repo.root, "joined", 1]);
});

test("the first question in a clone finds the conversations of the repository, by its folder or its path", () => {
  const { home, repo } = scene();
  const clone = join(temporaryFolder(), "pools");
  repo.git("clone", "--quiet", repo.root, clone);
  const start = repo.clock + 10_000;
  const turns = [{ user: "Retire the hysteresis of the pool." }, { agent: "Retired." }];
  writeDialogue(home.home, ID, turns, { start, cwd: repo.root });
  const found = (...args: string[]): string[] =>
    home.json<{ results: { id: string }[] }>("search", "hysteresis", ...args).results.map(({ id }) => id);
  home.cwd = clone;
  assert.deepEqual(found("--project", "."), [ID]);
  assert.deepEqual(found("--project", clone), [ID]);
  const pack = home.json<{ text: string }>("pack", "--task", "hysteresis of the pool");
  assert.match(pack.text, /## Recent work/);
  const foreign = new TestRepository(join(temporaryFolder(), "swimming"));
  foreign.commit("feat: begin", { "index.ts": "export const lanes = 8;\n" });
  home.cwd = foreign.root;
  assert.match(home.run("search", "hysteresis", "--project", ".").stderr, /no conversation in/);
});

test("conversations of a copy count as those of the project in which one searches", () => {
  const { home, repo } = scene();
  const start = repo.clock + 10_000;
  const lint = { command: "wombat lint", output: "fine" };
  const turns = [{ user: "Retire the hysteresis." }, lint, ...edits(AWAY, Object.keys(FILES))];
  writeDialogue(home.home, ID, turns, { start, cwd: AWAY });
  const elsewhere = [{ user: "Retire the hysteresis." }, lint, lint, lint];
  writeDialogue(home.home, OTHER, elsewhere, { start: start + 10_000, cwd: "/home/alan/swimming" });
  const first = (...args: string[]): unknown =>
    home.json<{ results: { id: string }[] }>("search", "hysteresis", ...args).results[0]?.id;
  const lastRun = (): unknown =>
    home.json<{ invocations: { project: string }[] }>("how", "wombat lint").invocations[0]?.project;
  home.cwd = repo.root;
  assert.deepEqual([first(), lastRun()], [OTHER, "/home/alan/swimming"], "the history is not read yet");
  assert.equal(copiesOf(home, repo.root)[0]?.state, "joined");
  assert.deepEqual([first(), lastRun()], [ID, AWAY]);
});
