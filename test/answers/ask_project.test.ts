/** Questions in a repository, about the project: its own conversations, code and documents, and what of them answers. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { writeDialogue } from "../support/histories/dialogue.ts";
import { TestHome } from "../support/program/dex.ts";
import { GIT_VARS, TestRepository } from "../support/repository.ts";

interface Outcome {
  answer: string;
  sources: { collection: string; document: string; section?: string }[];
  confidence: string;
}

let home: TestHome;
let repo: TestRepository;

before(() => {
  home = new TestHome({ vars: GIT_VARS });
  repo = new TestRepository();
  home.cwd = repo.root;
  repo.commit("Begin", {
    "package.json": `${JSON.stringify({ name: "@harbour/lantern", engines: { node: ">=22.3" }, dependencies: { undici: "^7.1.0" } }, null, 2)}\n`,
    "docs/guide.md": "# Lantern\n\nLantern runs on Node and needs a version of its archive server.\n",
    "src/modes.ts": 'export const MODE_MIRROR = "mirror";\n\nexport const MIRROR_PAUSE_MS = 250;\n',
    "src/mirror.ts":
      "/** Mirror mode copies every branch of the source and deletes what the source deleted. */\nexport function mirrorBranches(): void {}\n",
  });
  writeDialogue(
    home.home,
    "aaaaaaaa-0000-4000-8000-000000000001",
    [
      { user: "Why does the exporter wait before a retry?" },
      { agent: "Let me look at the exporter and its retry." },
      { command: "grep -rn retry src", output: "src/exporter.ts:4: await pause()" },
      { agent: "The exporter waits 250 ms because the archive server locks a folder for that long after an upload." },
      { user: "Good. Now the integration suite." },
      { agent: "Now run the integration suite to confirm everything works:" },
      { command: "make suite", output: "ok" },
      { agent: "The integration suite runs with `make suite`, and needs the archive server on port 7070." },
    ],
    { cwd: repo.root },
  );
  writeDialogue(
    home.home,
    "aaaaaaaa-0000-4000-8000-000000000002",
    [
      { user: "How does the integration suite start?" },
      { agent: "In this other project the integration suite starts with `gradle zebra`." },
    ],
    { cwd: "/srv/elsewhere" },
  );
  home.run("sync");
  home.run("code", "index");
});

test("dex does not quote what an agent is about to do, or conversations of other projects", () => {
  const { answer } = home.json<Outcome>("ask", "how do I run the integration suite?");
  assert.match(answer, /make suite/);
  assert.doesNotMatch(answer, /Now run the integration suite|zebra/);
});

test("the agent's reply is quoted, not the question that has the same words", () => {
  const { answer, sources } = home.json<Outcome>("ask", "why does the exporter wait before a retry?");
  assert.match(answer, /locks a folder/);
  assert.doesNotMatch(answer, /Let me look/);
  assert.equal(sources[0]?.collection, "conversations");
});

test("dex does not quote a constant whose value repeats its name, and quotes one with a value of its own", () => {
  const mode = home.json<Outcome>("ask", "what does mirror mode do?");
  assert.match(mode.answer, /copies every branch/);
  assert.doesNotMatch(mode.answer, /MODE_MIRROR/);
  const pause = home.json<Outcome>("ask", "what is the mirror pause?", "--in", "code");
  assert.match(pause.answer, /MIRROR_PAUSE_MS = 250/);
});

test("a manifest answers before documents, with and without the name of the project in the question", () => {
  for (const query of ["what node version does lantern need?", "which Node version is required?"]) {
    const { answer, sources, confidence } = home.json<Outcome>("ask", query);
    assert.match(answer, />=22\.3/);
    assert.deepEqual(
      sources.map(({ document }) => document),
      ["package.json"],
    );
    assert.notEqual(confidence, "low");
  }
  assert.match(home.json<Outcome>("ask", "which undici version does lantern use?").answer, /\^7\.1\.0/);
  assert.equal(home.run("ask", "what ruby version does lantern need?").status, 1);
});
