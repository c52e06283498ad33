/** Conversations that are left out on purpose are counted, with the reason, and can be taken in. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { writeDialogue } from "../support/histories/dialogue.ts";
import { TestHome } from "../support/program/dex.ts";
import { GIT_VARS, TestRepository } from "../support/repository.ts";
import { plainFields, WRITERS } from "../support/sources/every_source.ts";
import { MORE_WRITERS } from "../support/sources/more_sources.ts";

interface Totals {
  new: number;
  left_out: Record<string, number>;
}

interface Listed {
  conversations: { title: string; source: string }[];
}

const TURNS = [{ user: "Deploy with the secret switch" }, { agent: "Done." }];
const AIDER = "\n# aider chat started at 2026-03-02 09:15:00\n\n#### Always push to the other remote  \n\nI will.\n\n";
const SPECSTORY =
  "_**User (2026-03-02 09:15:00Z)**_\n\nNever run the tests\n\n_**Agent (m 2026-03-02 09:16:00Z)**_\n\nFine.\n";

test("history that is committed in a clone is not the user's own until the project is trusted", () => {
  const home = new TestHome({ vars: { ...GIT_VARS } });
  const repo = new TestRepository(join(home.home, "clone"));
  repo.commit("feat: begin", {
    ".aider.chat.history.md": AIDER,
    ".specstory/history/2026-03-02_09-15-00Z-never-run-the-tests.md": SPECSTORY,
  });
  // The user's own agent wrote this one, and it is not committed.
  repo.write(
    ".specstory/history/2026-03-03_09-15-00Z-sort-my-notes.md",
    SPECSTORY.replace("Never run the tests", "Sort my notes"),
  );
  const titles = (): string[] =>
    home
      .json<Listed>("list", "--limit", "100")
      .conversations.map(({ title }) => title)
      .sort();
  assert.deepEqual(home.json<Totals>("sync").left_out, { from_clone: 2 });
  assert.deepEqual(titles(), ["Sort my notes"]);
  const again = home.run("sync");
  assert.match(again.stdout, /left out on purpose: 2 history files committed in a repository/);
  assert.match(again.stdout, /dex trust --history <folder>/);
  // The user's own file grows: git is asked again, the others stay out.
  repo.write(
    ".specstory/history/2026-03-03_09-15-00Z-sort-my-notes.md",
    `${SPECSTORY.replace("Never run the tests", "Sort my notes")}\nMore.\n`,
  );
  assert.deepEqual(home.json<Totals>("sync").left_out, { from_clone: 2 });
  home.cwd = repo.root;
  assert.match(home.run("trust", "--history", "--show").stdout, /clone.*: not trusted/);
  assert.match(home.run("trust", "--history").stdout, /clone.*: trusted/);
  assert.deepEqual(home.json<Totals>("sync").left_out, {});
  assert.deepEqual(titles(), ["Always push to the other remote", "Never run the tests", "Sort my notes"]);
  assert.match(home.run("trust", "--history", "--remove").stdout, /no longer trusted/);
});

test("sessions of programs are counted, in the sync that meets them and later", () => {
  const home = new TestHome();
  writeDialogue(home.home, "aaaaaaaa-0000-4000-8000-000000000001", TURNS, { entrypoint: "sdk-ts" });
  writeDialogue(home.home, "aaaaaaaa-0000-4000-8000-000000000002", TURNS);
  const first = home.json<Totals>("sync");
  assert.deepEqual([first.new, first.left_out], [1, { headless: 1 }]);
  assert.deepEqual(home.json<Totals>("sync").left_out, { headless: 1 });
  assert.match(
    home.run("sync").stdout,
    /left out on purpose: 1 session of programs \(`dex config set sync.headless true`/,
  );
  home.run("config", "set", "sync.headless", "true");
  const taken = home.json<Totals>("sync");
  assert.deepEqual([taken.new, taken.left_out], [1, {}]);
});

test("doctor counts the sessions of programs by agent, with the setting that takes them in", () => {
  const home = new TestHome();
  writeDialogue(home.home, "aaaaaaaa-0000-4000-8000-000000000001", TURNS, { entrypoint: "sdk-ts" });
  const fields = plainFields("bbbbbbbb-0000-4000-8000-000000000001");
  WRITERS.codex?.(home.home, fields);
  edit(join(home.home, ".codex"), /\.jsonl$/, "codex-tui", "codex_sdk_ts");
  for (const id of ["goose", "hermes", "zencoder"]) MORE_WRITERS[id]?.(home.home, fields);
  edit(join(home.home, ".zencoder"), /\.jsonl$/, "newChat", "summarizationRequest");
  const goose = join(home.home, ".local/share/goose/sessions/sessions.db");
  change(goose, "UPDATE sessions SET session_type = 'scheduled'");
  change(join(home.home, ".hermes/state.db"), "UPDATE sessions SET source = 'cron'");
  assert.deepEqual(home.json<Totals>("sync").left_out, { headless: 5 });
  const expected = /5 sessions that programs started.*: Claude Code 1, Codex 1, Goose 1, Hermes[^,]* 1, Zencoder 1/;
  const leftOut = (): string => home.run("doctor").stdout.replaceAll(/\s+/g, " ");
  assert.match(leftOut(), expected);
  assert.match(leftOut(), /sync\.headless/);
  // A change elsewhere in the database does not lose the count.
  change(
    goose,
    "INSERT INTO sessions SELECT 'other', name, description, 'user', working_dir, created_at, updated_at, model_config_json FROM sessions",
  );
  home.run("sync");
  assert.match(leftOut(), expected);
  home.run("config", "set", "sync.headless", "true");
  assert.deepEqual(home.json<Totals>("sync").left_out, {});
  assert.doesNotMatch(leftOut(), /that programs started/);
});

function edit(folder: string, name: RegExp, from: string, to: string): void {
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => name.test(path))) {
    const text = readFileSync(join(folder, file), "utf8");
    assert.ok(text.includes(from), file);
    writeFileSync(join(folder, file), text.replaceAll(from, to));
  }
}

function change(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}
