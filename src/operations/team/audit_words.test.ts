import assert from "node:assert/strict";
import { test } from "node:test";
import { auditWords } from "./audit_words.ts";

const NAMES = { members: new Map([[2, "ben"]]), scopes: new Map([[1, "github.com/acme/notes"]]) };

test("every entry is a phrase with names; numbers that have none stay numbers", () => {
  const said = (what: string, detail: Record<string, unknown>): string => auditWords(what, detail, NAMES);
  assert.equal(said("create", {}), "created the team");
  assert.equal(said("invite", { member: 2, role: "member", gateway: false }), "invited ben as member");
  assert.equal(
    said("invite", { member: 9, role: "reader", gateway: true }),
    "invited member 9 as reader, through the gateway",
  );
  assert.equal(said("join", { machine: "desk" }), "joined with the machine desk");
  assert.equal(said("role", { name: "ben", role: "admin" }), "made ben admin");
  assert.equal(said("revoke", { name: "ben", device: null }), "ended the access of ben");
  assert.equal(said("revoke", { name: "ben", device: 7 }), "ended the access of ben on machine 7");
  assert.equal(said("setting", { key: "patterns" }), "changed the setting patterns");
  assert.equal(said("share", { scope: 1, with: null }), "shared github.com/acme/notes with all members");
  assert.equal(said("share", { scope: 4, with: ["ben", "cleo"] }), "shared project 4 with ben, cleo");
  assert.equal(said("withdraw", { scope: 1, removed: 1 }), "withdrew 1 conversation of github.com/acme/notes");
  assert.equal(said("forget", { source: "codex", removed: 2 }), "forgot 2 conversations of codex");
  assert.equal(said("epoch", {}), "restored the server from a backup");
  assert.equal(said("later", { x: 1 }), 'later {"x":1}');
});
