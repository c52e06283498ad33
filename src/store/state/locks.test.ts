import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { ensurePrivateFile } from "../../kernel/files/atomic_write.ts";
import { acquireLock } from "../../kernel/lock.ts";
import { forgottenConversations, openState } from "../engine/state.ts";
import { StateFile } from "./state_file.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-locks-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Another process, which runs some statements of this repository's modules. */
function elsewhere(module: string, statements: string): string {
  const script = `import * as m from ${JSON.stringify(new URL(module, import.meta.url).href)}; ${statements}`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

/** Whether any process has a lock on the file. */
function isLocked(path: string): boolean {
  return new RegExp(`:${statSync(path).ino} `).test(readFileSync("/proc/locks", "utf8"));
}

const skip = !existsSync("/proc/locks") && "this system does not list the locks on files";

test("looking at state.db leaves the locks of an open one alone", { skip }, () => {
  const path = join(folder, "state.db");
  const held = openState(path);
  held.forget("codex", "held-1", 1);
  const file = new StateFile(path, () => {});
  assert.ok(file.isUsable);
  file.use((state) => state.forgotten());
  ensurePrivateFile(path);
  assert.ok(isLocked(path), "the open database has its lock still");
  held.close();
  assert.ok(!isLocked(path));
});

test("a state.db that another process is creating holds no tombstones yet, and is not damaged", () => {
  const path = join(folder, "new", "state.db");
  mkdirSync(join(folder, "new"));
  const creating = new DatabaseSync(path);
  creating.exec("PRAGMA journal_mode = WAL");
  assert.deepEqual(forgottenConversations(path), { tombstones: [], damaged: false });
  creating.close();
});

test("a process that asks for a lock which it has already keeps it", () => {
  const path = join(folder, "lock.db");
  const lock = acquireLock(path, 0);
  assert.ok(lock);
  assert.equal(acquireLock(path, 0), undefined);
  const other = (): string =>
    elsewhere("../../kernel/lock.ts", `console.log(m.acquireLock(${JSON.stringify(path)}, 0) !== undefined)`);
  assert.equal(other(), "false");
  lock.release();
  assert.equal(other(), "true");
});
