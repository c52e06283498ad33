/** The built program's compiled code: kept where nobody else can plant any. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { program, TestHome } from "../support/program/dex.ts";

test("compiled code is kept in dex's own home, never in the shared temporary folder", () => {
  const own = new TestHome({ samples: true });
  const { NODE_COMPILE_CACHE: _, ...env } = own.env;
  const temporary = join(own.home, "tmp");
  mkdirSync(temporary);
  const run = (): number | null =>
    spawnSync(process.execPath, [program, "sync"], { env: { ...env, TMPDIR: temporary }, cwd: own.home }).status;
  assert.equal(run(), 0);
  assert.equal(run(), 0);
  assert.deepEqual(readdirSync(temporary), []);
  assert.ok(readdirSync(join(own.dexHome, "compile-cache")).length > 0);
  // A file of its own answers the frequent verbs; the file with all verbs gives the same answers.
  const printed = (...args: string[]): string =>
    spawnSync(process.execPath, [program, ...args], { env, cwd: own.home, encoding: "utf8" }).stdout;
  for (const words of [["search", "tests"], ["stats"], ["list"], ["usage"], ["usage", "blocks"], ["--help"]]) {
    const answer = printed(...words);
    assert.equal(answer, own.run(...words).stdout);
    assert.equal(printed(...words), answer);
    assert.ok(answer.length > 50);
  }
  const synced = (text: string): string => text.replace(/in [\d.]+ s/, "");
  assert.match(printed("sync"), /^0 new, 0 updated, \d+ unchanged/);
  assert.equal(synced(printed("sync")), synced(own.run("sync").stdout));
  const files = readdirSync(join(own.dexHome, "compile-cache"));
  const kept = files.flatMap((name) => /^program-(\w+)-/.exec(name)?.[1] ?? []);
  // A sync that takes long keeps nothing.
  assert.deepEqual(kept.filter((verb) => verb !== "sync").sort(), ["list", "search", "stats", "usage"]);
  // dex neither uses nor writes a cache that another user could have planted.
  rmSync(join(own.dexHome, "compile-cache"), { recursive: true });
  mkdirSync(join(own.dexHome, "compile-cache"));
  chmodSync(join(own.dexHome, "compile-cache"), 0o777);
  assert.equal(run(), 0);
  assert.deepEqual(readdirSync(join(own.dexHome, "compile-cache")), []);
  assert.deepEqual(readdirSync(temporary), []);
});

test("files that are read as Latin-1 have only ASCII: expressions mean the same in every program", () => {
  const folder = dirname(program);
  const names = readdirSync(folder).filter((name) => name.endsWith(".cjs"));
  assert.ok(names.includes("hook.cjs") && names.includes("program.cjs"));
  for (const name of names) {
    const other = /[^\0-\x7f].{0,40}/.exec(readFileSync(join(folder, name), "utf8"));
    assert.equal(other, null, name);
  }
});
