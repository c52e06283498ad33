/** Questions about earlier conversations, asked outside any project: which message answers, and whose project it is. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { type Turn, writeDialogue } from "../support/histories/dialogue.ts";
import { TestHome } from "../support/program/dex.ts";

interface Outcome {
  answer: string;
  sources: { document: string }[];
}

let home: TestHome;

const TALKS: Readonly<Record<string, Turn[]>> = {
  "/srv/tide-ledger": [
    { user: "The harbour map of the export is blurred, please fix it." },
    { agent: "I'll look at the export first." },
    { command: "make map", output: "ok" },
    { agent: "Fixed: the renderer scaled the tiles twice, once for the screen and once for paper." },
    { user: "Now the installer for Windows." },
    { agent: "The Windows installer is built with WiX, because the store rejects archives." },
  ],
  "/srv/lantern-relay": [
    { user: "Reduce the memory of the relay." },
    {
      agent: "The memory leak of the relay came from sockets that were never closed; each is closed after its answer.",
    },
  ],
};

before(() => {
  home = new TestHome();
  for (const [i, [cwd, turns]] of Object.entries(TALKS).entries()) {
    writeDialogue(home.home, `aaaaaaaa-0000-4000-8000-00000000000${i + 1}`, turns, { cwd });
  }
  home.run("sync");
});

const asked = (query: string): Outcome => {
  const { stdout, stderr } = home.run("ask", query, "--json");
  assert.notEqual(stdout, "", stderr);
  return JSON.parse(stdout) as Outcome;
};

test("the agent's findings are quoted, although the request has the words of the question", () => {
  assert.match(asked("why was the harbour map of the export blurred?").answer, /scaled the tiles twice/);
});

test("a question that names a project is not answered from another one", () => {
  assert.match(asked("what caused the memory leak in lantern-relay?").answer, /never closed/);
  assert.match(asked("why is the Windows installer of tide-ledger built with WiX?").answer, /rejects archives/);
  assert.deepEqual(asked("what caused the memory leak in tide-ledger?").sources, []);
  assert.deepEqual(asked("how is the Windows installer of lantern-relay built?").sources, []);
});
