/** Going on with a conversation in its own agent. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { before, test } from "node:test";
import { writeDialogue } from "../support/histories/dialogue.ts";
import { TestHome } from "../support/program/dex.ts";
import { noTerminal, Terminal } from "../support/program/pty.ts";

const home = new TestHome({ samples: true });
const folder = join(home.home, "my project");
const bin = join(home.home, "bin");
const ID = "aaaa1111-2222-4333-8444-555555555555";
const SUB = "agent-bbbb2222";

interface Resumed {
  id: string;
  agent: string;
  command: string[];
  folder: string | null;
  subagent?: string;
}

before(() => {
  mkdirSync(folder);
  mkdirSync(bin);
  // Stands in for the agent: it says how and where it was started.
  writeFileSync(join(bin, "claude"), '#!/bin/sh\necho "claude got $# words: $*"\necho "in $PWD"\nexit 7\n');
  chmodSync(join(bin, "claude"), 0o755);
  home.vars.PATH = `${bin}${delimiter}${process.env.PATH ?? ""}`;
  writeDialogue(home.home, ID, [{ user: "make it faster" }, { agent: "done" }], { cwd: folder });
  writeDialogue(home.home, SUB, [{ user: "look around" }, { agent: "seen" }], { cwd: folder, parent: ID });
  writeFileSync(
    join(home.home, "other.jsonl"),
    JSON.stringify({ conversation: "imported-1", role: "user", text: "hello there" }),
  );
  assert.equal(home.run("import", "other.jsonl").status, 0);
});

test("the command alone, ready for a shell, and as JSON", () => {
  const answer = home.run("resume", "aaaa1111");
  assert.equal(answer.status, 0, answer.stderr);
  assert.equal(answer.stdout, `cd '${folder}' && claude --resume ${ID}\n`);
  assert.equal(answer.stderr, "");
  const json = home.json<Resumed>("resume", ID);
  assert.deepEqual(json.command, ["claude", "--resume", ID]);
  assert.equal(json.folder, folder);
});

test("a subagent goes on in the conversation that started it", () => {
  const json = home.json<Resumed>("resume", SUB);
  assert.deepEqual(json.command, ["claude", "--resume", ID]);
  assert.equal(json.subagent, SUB);
});

test("each agent's own words; what is missing is said", () => {
  const { conversations } = home.json<{ conversations: { id: string }[] }>("list", "--source", "codex");
  const answer = home.run("resume", conversations[0]?.id ?? "");
  assert.equal(answer.status, 0);
  assert.match(answer.stdout, new RegExp(`^cd .+ && codex resume ${conversations[0]?.id}\\n$`));
  assert.match(answer.stderr, /The conversation's folder .+ does not exist\./);
  const run = home.run("resume", conversations[0]?.id ?? "", "--run");
  assert.equal(run.status, 2);
  assert.match(run.stderr, /does not exist\.\nRestore it/);
});

test("conversations that no agent can resume get a sentence and an alternative", () => {
  const answer = home.run("resume", "imported-1");
  assert.equal(answer.status, 2);
  assert.match(answer.stderr, /has no command to continue this conversation\.\n`dex handoff imported-1 --to/);
});

test("--run starts the agent in the folder, with its words as they are, and ends with its status", {
  skip: noTerminal,
}, async () => {
  const terminal = new Terminal(home, ["resume", ID, "--run"]);
  await terminal.until(new RegExp(`claude got 2 words: --resume ${ID}`));
  await terminal.until(/in .*my project/);
  assert.equal(await terminal.ended, 7, terminal.screen);
  rmSync(join(bin, "claude"));
  const answer = home.withVars({ PATH: bin }).run("resume", ID, "--run");
  assert.equal(answer.status, 2);
  assert.match(answer.stderr, /Claude Code \(`claude`\) is not installed, or not on your PATH\./);
});
