import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { findRoots } from "./roots.ts";

describe("findRoots", () => {
  let home = "";
  const at = (...parts: string[]): string => join(home, ...parts);
  const put = (...parts: string[]): void => {
    mkdirSync(dirname(at(...parts)), { recursive: true });
    writeFileSync(at(...parts), "# history\n");
  };

  before(() => {
    home = mkdtempSync(join(tmpdir(), "dex-roots-"));
    put("zeta", ".aider.chat.history.md");
    put("code", "api", ".specstory", "history", "a.md");
    put("code", "api", "packages", "web", ".aider.chat.history.md");
    put("code", "both", ".aider.chat.history.md");
    put("code", "both", ".specstory", "history", "a.md");
    put("code", "charmed", ".crush", "crush.db");
    put("code", "fiery", ".idea", "firebender", "chat_history.db");
    put("code", "bot", "data", "data_v4.db");
    put("code", "empty", ".specstory", "statistics.json");
    put("code", "charts", "data", "points.csv");
    put("code", "idle", ".idea", "workspace.xml");
    put("code", "new", ".crush", "logs", "crush.log");
    put("one", "two", "three", "four", ".aider.chat.history.md");
    put("one", "two", "three", "four", "five", ".aider.chat.history.md");
    for (const skipped of [
      "node_modules",
      "vendor",
      "Library",
      "Applications",
      "target",
      "dist",
      "build",
      "venv",
      "snap",
    ])
      put(skipped, "project", ".aider.chat.history.md");
    put("go", "src", ".aider.chat.history.md");
    put(".cache", "project", ".aider.chat.history.md");
    mkdirSync(at("code", "trap", ".aider.chat.history.md"), { recursive: true });
    symlinkSync(at("code"), at("link"));
    symlinkSync(home, at("code", "loop"));
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  it("finds projects breadth first, by name within a level", () => {
    assert.deepEqual(findRoots(home), [
      at("zeta"),
      at("code", "api"),
      at("code", "bot"),
      at("code", "both"),
      at("code", "charmed"),
      at("code", "fiery"),
      at("code", "api", "packages", "web"),
      at("one", "two", "three", "four"),
    ]);
  });

  it("gives the same answer again", () => {
    assert.deepEqual(findRoots(home), findRoots(home));
  });

  it("goes no deeper than the given depth", () => {
    assert.deepEqual(findRoots(home, { depth: 1 }), [at("zeta")]);
    assert.deepEqual(findRoots(home, { depth: 0 }), []);
  });

  it("includes the home folder itself", () => {
    assert.deepEqual(findRoots(at("code", "both"), { depth: 0 }), [at("code", "both")]);
  });

  it("stops after a limit of entries", () => {
    for (let n = 0; n < 300; n += 1) put("many", `file-${n}`);
    put("many", ".aider.chat.history.md");
    const all = findRoots(home);
    assert.ok(all.includes(at("many")));
    for (const entries of [0, 1, 5, 20, 50]) {
      const some = findRoots(home, { entries });
      assert.deepEqual(some, all.slice(0, some.length), `${entries} entries give a prefix`);
    }
    assert.deepEqual(findRoots(home, { entries: 0 }), []);
    rmSync(at("many"), { recursive: true });
  });

  it("finds nothing in a folder that does not exist", () => {
    assert.deepEqual(findRoots(at("missing")), []);
  });
});
