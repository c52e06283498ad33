/** Damage as on real disks: dex fails with a clear sentence, loses nothing, and `doctor --fix` repairs it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dumpHome } from "../support/dump.ts";
import { writeClaudeHistory } from "../support/histories/generate.ts";
import { sampleHome, TestHome } from "../support/program/dex.ts";
import { otherUser } from "../support/program/other_user.ts";
import { TestRepository } from "../support/repository.ts";

function samples(): TestHome {
  return new TestHome({ samples: true });
}

function archiveFiles(home: TestHome): string[] {
  const folder = join(home.dexHome, "archive/conversations");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".zst"))
    .map((path) => join(folder, path))
    .sort();
}

interface Doctor {
  problems: { what: string; fix: string }[];
  fixed: string[];
}

test("a corrupt index.db is named, and rebuilt from the archive to the same answers", () => {
  const home = samples();
  home.run("sync");
  const before = dumpHome(home.dexHome);
  const search = home.run("search", "refresh token", "--json", "--no-sync").stdout;
  // The agents delete their history: the archive alone has to do.
  rmSync(join(home.home, ".claude"), { recursive: true });
  for (const damage of ["head", "middle"]) {
    const path = join(home.dexHome, "index.db");
    for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
    const bytes = readFileSync(path);
    bytes.fill(0x5a, damage === "head" ? 0 : 4096, damage === "head" ? 512 : bytes.length);
    writeFileSync(path, bytes);
    const asked = home.run("search", "refresh token", "--no-sync");
    assert.equal(asked.status, 2, asked.stdout + asked.stderr);
    assert.match(asked.stderr, /damaged/);
    assert.match(asked.stderr, /doctor --fix/);
    const fixed = home.run("doctor", "--fix", "--json");
    assert.equal(fixed.status, 0, fixed.stderr);
    assert.deepEqual((JSON.parse(fixed.stdout) as Doctor).problems, []);
    assert.deepEqual(dumpHome(home.dexHome), before);
    assert.equal(home.run("search", "refresh token", "--json", "--no-sync").stdout, search);
  }
});

test("an archive file cut short keeps its whole messages, and gets the rest from the agent again", () => {
  const home = samples();
  home.run("sync");
  const before = dumpHome(home.dexHome);
  for (const path of archiveFiles(home)) truncateSync(path, Math.floor(statSync(path).size * 0.7));
  const found = home.json<Doctor>("doctor");
  assert.match(found.problems.map(({ what }) => what).join(), /Damaged archive files: 4 archived conversations/);
  const fixed = home.run("doctor", "--fix", "--json");
  assert.equal(fixed.status, 0, fixed.stderr);
  assert.deepEqual((JSON.parse(fixed.stdout) as Doctor).problems, []);
  assert.deepEqual(dumpHome(home.dexHome), before);
});

test("a flipped byte inside an archive file is noticed; the file is set aside and restored from the agent's file", () => {
  const home = samples();
  home.run("sync");
  const before = dumpHome(home.dexHome);
  const [path = ""] = archiveFiles(home).filter((file) => file.includes("claude"));
  const bytes = readFileSync(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
  writeFileSync(path, bytes);
  rmSync(join(home.dexHome, "index.db"));
  const fixed = home.run("doctor", "--fix", "--json");
  assert.equal(fixed.status, 0, fixed.stderr);
  assert.deepEqual(dumpHome(home.dexHome), before);
});

test("without index.db every answer is the same after a reindex", () => {
  const home = samples();
  home.run("sync");
  const questions = [
    ["stats"],
    ["list"],
    ["index"],
    ["search", "why did the migration fail"],
    ["search", "flaky test", "--role", "user"],
  ];
  const ask = (): string[] => questions.map((args) => home.run(...args, "--json", "--no-sync").stdout);
  const before = ask();
  rmSync(join(home.dexHome, "index.db"));
  assert.equal(home.run("reindex").status, 0);
  const withoutSyncTime = (texts: string[]): string[] => texts.map((text) => text.replace(/"last_sync":[^,}]+/, ""));
  assert.deepEqual(withoutSyncTime(ask()), withoutSyncTime(before));
});

test("a home that cannot be written: one sentence, and reading still works", (t) => {
  const other = otherUser();
  if (typeof other === "string") return t.skip(other);
  const home = samples();
  home.run("sync");
  writeClaudeHistory(home.home, 8, { sessions: 1, turns: 1 });
  const unfinished = { conversations: [{ source: "codex", id: "interrupted" }] };
  writeFileSync(join(home.dexHome, "forget-pending.json"), JSON.stringify(unfinished));
  const run = (...args: string[]) =>
    other.run(args, { HOME: home.home, DEX_HOME: home.dexHome, PATH: process.env.PATH ?? "" });
  for (const path of [home.home, ...readdirSync(home.home, { recursive: true, encoding: "utf8" })]) {
    const full = path === home.home ? path : join(home.home, path);
    chmodSync(full, statSync(full).isDirectory() ? 0o555 : 0o444);
  }
  try {
    const sync = run("sync");
    assert.equal(sync.status, 2, sync.stderr);
    assert.match(sync.stderr, /cannot be written/);
    assert.doesNotMatch(sync.stderr, /at .*\.js:\d+/);
    const search = run("search", "refresh token", "--json");
    assert.equal(search.status, 0, search.stderr);
    assert.ok((JSON.parse(search.stdout) as { total: number }).total > 0);
    assert.match(search.stderr, /could not finish an interrupted `dex forget`.*cannot be written/);
  } finally {
    for (const path of [home.home, ...readdirSync(home.home, { recursive: true, encoding: "utf8" })]) {
      const full = path === home.home ? path : join(home.home, path);
      chmodSync(full, statSync(full).isDirectory() ? 0o755 : 0o644);
    }
  }
});

test("an archive that may not be read is not taken for a lost one", (t) => {
  const other = otherUser();
  if (typeof other === "string") return t.skip(other);
  const home = samples();
  home.run("sync");
  const everything = [home.home, ...readdirSync(home.home, { recursive: true, encoding: "utf8" })];
  for (const path of everything) chmodSync(path === home.home ? path : join(home.home, path), 0o777);
  const archive = join(home.dexHome, "archive/conversations");
  const [closed] = readdirSync(archive);
  chmodSync(join(archive, closed ?? ""), 0o000);
  const run = (...args: string[]) =>
    other.run(args, { HOME: home.home, DEX_HOME: home.dexHome, PATH: process.env.PATH ?? "" });
  try {
    const { stdout } = run("doctor");
    assert.match(stdout, /dex may not read archive files/);
    assert.doesNotMatch(stdout, /are missing/);
    const fixed = run("doctor", "--fix");
    assert.match(fixed.stderr, /The archive .* cannot be read \(EACCES\)/);
  } finally {
    chmodSync(join(archive, closed ?? ""), 0o755);
  }
  assert.ok(home.json<{ total: number }>("search", "refresh token").total > 0);
});

function mountSmall({ dexHome }: TestHome, size: string): boolean {
  mkdirSync(dexHome, { recursive: true });
  return spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", dexHome]).status === 0;
}

test("a full disk: one sentence, nothing lost, and sync goes on when there is room", (t) => {
  const home = new TestHome();
  writeClaudeHistory(home.home, 3, { sessions: 12, turns: 40, output: 900 });
  if (!mountSmall(home, "640k")) return t.skip("needs the right to mount a small tmpfs");
  try {
    const full = home.run("sync");
    assert.equal(full.status, 2, full.stderr);
    assert.match(full.stderr, /disk is full/i);
    assert.doesNotMatch(full.stderr, /at .*\.js:\d+/);
    spawnSync("mount", ["-o", "remount,size=64m", home.dexHome]);
    const again = home.run("sync");
    assert.equal(again.status, 0, again.stderr);
    const calm = new TestHome();
    cpSync(join(home.home, ".claude"), join(calm.home, ".claude"), { recursive: true, preserveTimestamps: true });
    calm.run("sync");
    const plain = (each: TestHome): string => JSON.stringify(dumpHome(each.dexHome)).replaceAll(each.home, "HOME");
    assert.equal(plain(home), plain(calm));
  } finally {
    spawnSync("umount", [home.dexHome]);
  }
});

test("on a full disk, readers answer from what is stored and say what is left out", (t) => {
  const home = samples();
  const repository = new TestRepository();
  home.cwd = repository.root;
  repository.commit("feat: begin\n\nWe decided to use alpha because it is small.", {
    "src/a.ts": "export const a = 1;\n",
  });
  const mounted = mountSmall(home, "24m");
  if (!mounted) return t.skip("needs the right to mount a small tmpfs");
  try {
    assert.equal(home.runFresh("refresh").status, 0);
    repository.commit("fix: more", { "src/a.ts": "export const a = 2;\n" });
    assert.throws(() => writeFileSync(join(home.dexHome, "traces.fill"), Buffer.alloc(64 << 20)), { code: "ENOSPC" });
    for (const [verb, found] of [
      [["decisions"], /We decided to use alpha/],
      [["suggest", "--file", "src/a.ts"], /feat: begin/],
      [["ask", "why do we use alpha"], /alpha/],
    ] as const) {
      const { status, stdout, stderr } = home.runFresh(...verb);
      assert.equal(status, 0, stderr);
      assert.match(stdout, found);
      assert.match(stderr, /Newer commits are left out: The disk is full/, verb.join(" "));
    }
    const { stdout } = home.runFresh("doctor");
    assert.match(stdout, /The disk of .* is full/);
  } finally {
    spawnSync("umount", [home.dexHome]);
  }
});

test("history that vanishes at the source stays readable", () => {
  const home = samples();
  home.run("sync");
  const before = home.run("list", "--json").stdout;
  for (const entry of readdirSync(sampleHome)) rmSync(join(home.home, entry), { recursive: true });
  assert.equal(home.run("list", "--json").stdout, before);
  assert.equal(home.run("sync", "--full", "--json").status, 0);
  assert.equal(home.run("list", "--json").stdout, before);
});

test("a forgotten conversation stays forgotten, on disk too", () => {
  const home = samples();
  home.run("sync");
  const { results } = home.json<{ results: { id: string }[] }>("search", "migration rolled back");
  const id = results[0]?.id ?? "";
  assert.equal(home.run("forget", id, "--yes").status, 0);
  assert.equal(home.run("sync", "--full").status, 0);
  assert.equal(home.run("reindex").status, 0);
  assert.equal(home.run("show", id).status, 2);
  assert.ok(!archiveFiles(home).some((path) => path.includes(id)));
});
