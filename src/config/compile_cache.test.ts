import assert from "node:assert/strict";
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { compileCacheFolder } from "./compile_cache.ts";

const made: string[] = [];
after(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

function temporary(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dex-cache-")));
  made.push(folder);
  return folder;
}

test("a private folder in dex's home is created and used", () => {
  const home = temporary();
  const folder = compileCacheFolder({ DEX_HOME: home });
  assert.equal(folder, join(home, "compile-cache"));
  assert.equal(lstatSync(folder).mode & 0o777, 0o700);
  assert.equal(compileCacheFolder({ DEX_HOME: home }), folder);
});

test("nothing is created before dex was first used", () => {
  const user = temporary();
  assert.equal(compileCacheFolder({ HOME: user }), undefined);
  assert.equal(lstatSync(join(user, ".dex"), { throwIfNoEntry: false }), undefined);
});

test("a folder that others can enter, a link, and a home that others can write are refused", () => {
  const open = temporary();
  mkdirSync(join(open, "compile-cache"));
  chmodSync(join(open, "compile-cache"), 0o755);
  assert.equal(compileCacheFolder({ DEX_HOME: open }), undefined);

  const linked = temporary();
  symlinkSync(temporary(), join(linked, "compile-cache"));
  assert.equal(compileCacheFolder({ DEX_HOME: linked }), undefined);

  const shared = temporary();
  chmodSync(shared, 0o777);
  assert.equal(compileCacheFolder({ DEX_HOME: shared }), undefined);

  const throughLink = join(temporary(), "home");
  symlinkSync(shared, throughLink);
  assert.equal(compileCacheFolder({ DEX_HOME: throughLink }), undefined);
});

test("another user's folder is refused", {
  skip: process.getuid?.() === 0 ? false : "only root can give a folder away",
}, () => {
  const home = temporary();
  mkdirSync(join(home, "compile-cache"), { mode: 0o700 });
  chownSync(join(home, "compile-cache"), 12345, 12345);
  assert.equal(compileCacheFolder({ DEX_HOME: home }), undefined);
});
