/** Decisions, pins and notes that members of a team save, with the built program and a real server. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { postgresPrograms, TestServer } from "../../support/team/postgres.ts";
import { foundTeam, joinTeam } from "../../support/team/team.ts";

const skip = postgresPrograms() ? false : "PostgreSQL is not installed";

type Saved = { id: string; text: string; saved_by: { by: string }[] };
type Decision = { id: string; text: string; place: string };

test("a member's decisions, pins and notes reach the team with their author, and leave it again", {
  skip,
}, async () => {
  const server = await TestServer.start();
  const ada = foundTeam(server);
  const eve = joinTeam(ada, "eve", "reader", { DEX_TEAM_WAITMS: "20000" });
  try {
    const at = ["--repository", ada.project];
    ada.ok("decide", "We keep notes in SQLite", "--because", `it runs in ${ada.home}/notes`, ...at);
    ada.ok("pin", "Never edit the generated parser", ...at);
    const { saved } = ada.ok("note", "The exporter needs marmot 3", ...at) as { saved: Saved };
    ada.ok("pin", "A pin for all projects", "--global");
    assert.equal(ada.ok("push").notes, 0, "nothing leaves before the project is shared");
    ada.ok("team", "share", ada.project);
    const review = ada.ok("team", "review") as { notes: { kind: string; text: string }[]; notes_total: number };
    assert.deepEqual(review.notes.map(({ kind, text }) => `${kind}: ${text}`).sort(), [
      "decision: We keep notes in SQLite",
      "note: The exporter needs marmot 3",
      "pin: Never edit the generated parser",
    ]);
    assert.match(ada.run("team", "review").stdout, /pin: Never edit the generated parser/);
    assert.equal(ada.ok("team", "review", "--approve").notes_total, 3);
    assert.equal(ada.ok("push").notes, 3);
    assert.equal(ada.ok("team", "review").notes_total, 0);
    assert.equal(ada.ok("push").notes, 0);

    const there = ["--repository", eve.project];
    const { decisions } = eve.ok("decisions", "sqlite", ...there) as { decisions: (Decision & { because: string })[] };
    assert.deepEqual(
      decisions.map(({ text, place, because }) => [text, place, because]),
      [["We keep notes in SQLite", "ada, team", "it runs in ~/notes"]],
    );
    const { memories } = eve.ok("notes", ...there) as { memories: Saved[] };
    assert.deepEqual(memories.map(({ text, saved_by }) => `${text} (${saved_by[0]?.by})`).sort(), [
      "Never edit the generated parser (ada)",
      "The exporter needs marmot 3 (ada)",
    ]);
    const found = eve.ok("search", "SQLite marmot", "--team") as { team_notes: { author: string; text: string }[] };
    assert.deepEqual(found.team_notes.map(({ author, text }) => `${author}: ${text}`).sort(), [
      "ada: The exporter needs marmot 3",
      "ada: We keep notes in SQLite",
    ]);
    assert.match(eve.run("search", "SQLite", "--by", "ada").stdout, /decision of ada, .*: We keep notes in SQLite/);
    assert.equal(eve.run("search", "SQLite", "--by", "bob").status, 1);
    const pack = eve.run("pack", "--task", "marmot exporter", ...there).stdout;
    assert.match(pack, /ada: Never edit the generated parser/);
    assert.match(pack, /note of ada: The exporter needs marmot 3/);
    assert.match(pack, /We keep notes in SQLite.*ada, team/);
    assert.equal(eve.fails("notes", "rm", saved.id, ...there), "unknown_memory");

    ada.ok("notes", "rm", saved.id, ...at);
    assert.equal(ada.ok("push").notes, 1);
    assert.equal((eve.ok("notes", ...there) as { memories: Saved[] }).memories.length, 1);
    // `dex refresh` prepares it for suggestions and hooks, which ask no server.
    eve.ok("refresh", eve.project);
    eve.throughPort(1);
    const suggested = eve.run("suggest", "--prompt", "should we keep notes in SQLite?", ...there);
    assert.match(suggested.stdout, /We keep notes in SQLite/, suggested.stderr);
    eve.throughPort(Number(new URL(server.url).port));
    ada.ok("team", "unshare", ada.project);
    const left = JSON.parse(eve.run("decisions", "sqlite", ...there, "--json").stdout) as { total: number };
    assert.equal(left.total, 0);
  } finally {
    await server.stop();
  }
});
