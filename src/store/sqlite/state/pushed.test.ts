import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { SqliteState } from "./state.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-pushed-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const DAY = 86_400_000;
const item = (entity: string, hash = ""): { entity: string; hash: string } => ({ entity, hash });

/** Opened again each time: the rows outlive the process. */
function pushed<T>(name: string, work: (pushed: SqliteState["pushed"]) => T): T {
  const state = new SqliteState(join(folder, `${name}.db`));
  try {
    return work(state.pushed);
  } finally {
    state.close();
  }
}

test("an item is claimed once per session, and again when its text changes", () => {
  const claim = (session: string, ...items: { entity: string; hash: string }[]): string[] =>
    pushed("claims", (notes) => notes.claim(session, items, 1000).map(({ entity }) => entity));
  assert.deepEqual(claim("a", item("x"), item("y", "1")), ["x", "y"]);
  assert.deepEqual(claim("a", item("x"), item("y", "1"), item("z")), ["z"]);
  assert.deepEqual(claim("a", item("x"), item("y", "2")), ["y"]);
  assert.deepEqual(claim("b", item("x")), ["x"]);
});

test("a reset forgets one session; a copy adds the parent's items and keeps the session's own", () => {
  pushed("copies", (notes) => {
    notes.claim("parent", [item("x"), item("y", "old")], 1000, "about:a");
    notes.claim("child", [item("y", "new")], 2000);
    notes.copy("parent", "child");
    assert.deepEqual(
      notes.of("child"),
      new Map([
        ["about:a", { hash: "", at: 1000 }],
        ["x", { hash: "", at: 1000 }],
        ["y", { hash: "new", at: 2000 }],
      ]),
    );
    notes.reset("parent");
    assert.equal(notes.of("parent").size, 0);
    assert.equal(notes.of("child").size, 3);
  });
});

test("rows are bounded by age, also when the clock was set back, and by number", () => {
  pushed("bounds", (notes) => {
    notes.claim("old", [item("x")], 0);
    notes.claim("future", [item("x")], 100 * DAY);
    notes.claim("now", [item("x")], 31 * DAY);
    assert.deepEqual([notes.of("old").size, notes.of("future").size, notes.of("now").size], [0, 0, 1]);
    for (let round = 0; round < 3; round += 1) {
      const items = Array.from({ length: 1000 }, (_, n) => item(`${round}/${n}`));
      notes.claim("now", items, 31 * DAY + 50 * (round + 1));
    }
    assert.equal(notes.of("now").size, 2000);
    assert.ok(notes.of("now").has("2/0") && !notes.of("now").has("0/0"));
  });
});
