/** Names and texts with decomposed letters (`u` and a mark), as some systems write file names, are found as typed. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { writeDialogue } from "../support/histories/dialogue.ts";
import { TestHome } from "../support/program/dex.ts";
import { GIT_VARS, TestRepository } from "../support/repository.ts";

const ID = "aaaa1111-0000-4000-8000-00000000000d";

describe("decomposed letters", () => {
  const home = new TestHome({ vars: GIT_VARS });
  const path = "anhänge/übersicht.md".normalize("NFC");
  const stored = path.normalize("NFD");
  const text = "# Übersicht der Anhänge\n";

  before(() => {
    const repo = new TestRepository();
    repo.commit("feat: begin", { "a.ts": "one();\n" });
    const file = join(repo.root, stored);
    writeDialogue(
      home.home,
      ID,
      [{ user: "Bitte anlegen." }, { tool: "Write", input: { file_path: file, content: text.normalize("NFD") } }],
      { start: repo.clock + 10_000, cwd: repo.root },
    );
    repo.commit("docs: overview", { [stored]: text.normalize("NFD") });
    home.cwd = repo.root;
  });

  test("a path typed with composed letters has its history, its lines and its versions", () => {
    assert.equal(home.json<{ file: string; text: string }>("restore", path).text.normalize("NFC"), text);
    assert.match(home.run("history", path).stdout, /docs: overview/);
    assert.match(home.run("history", "anhänge").stdout, /docs: overview/);
    assert.match(home.run("blame", `${path}:1`).stdout, /docs: overview/);
  });

  test("a text is found in one conversation and in all, quoted and by a regular expression", () => {
    assert.equal(home.json<{ total: number }>("find", ID, "Übersicht der").total, 1);
    for (const args of [['"Übersicht der Anhänge"'], ["--regex", "Übersicht der \\w+"], ["Anhänge", "--file", path]])
      assert.equal(home.json<{ total: number }>("search", ...args).total, 1, args.join(" "));
  });
});
