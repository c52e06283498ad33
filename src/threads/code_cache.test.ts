import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { loadWithCodeCache } from "./code_cache.ts";

type Hook = typeof import("../hooks/hook.ts");

const folder = mkdtempSync(join(tmpdir(), "dex-hook-code-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "hook.cjs");
const wrapped = (code: string): string => `(function (exports, require, module, __filename, __dirname) {${code}})\n`;
writeFileSync(
  file,
  wrapped('exports.hook = async () => ({ status: 0, kind: require("node:path").basename(__filename) });'),
);

const kept = (): string[] => readdirSync(folder).filter((name) => name.endsWith(".bin"));
const kinds = (name: string): string => readFileSync(join(folder, name), "latin1").split("\n", 1)[0]?.trimEnd() ?? "";

test("compiled code is kept once for each kind of event, for one build", async () => {
  const first = loadWithCodeCache<Hook>(file, "b1", folder);
  assert.deepEqual(await first.module.hook([]), { status: 0, kind: "hook.cjs" });
  first.save("start");
  const [name = ""] = kept();
  assert.equal(kinds(name), "start");
  loadWithCodeCache(file, "b1", folder).save("prompt");
  assert.equal(kinds(name), "start prompt");
  for (let i = 0; i < 3; i += 1) loadWithCodeCache(file, "b1", folder).save("files-late", 2);
  assert.equal(kinds(name), "start prompt files-late files-late");
  const long = loadWithCodeCache(file, "b2", folder);
  for (const kind of ["start", "prompt", "start"]) long.save(kind);
  for (let i = 0; i < 60; i += 1) long.save(`tool-${i}`);
  assert.equal(kept().length, 1);
  const known = kinds(kept()[0] ?? "");
  assert.match(known, /^start prompt tool-0 tool-1 .*tool-\d+$/);
  assert.ok(known.length < 256, "as many kinds as the first line holds");
  assert.notDeepEqual(kept(), [name]);
});

test("damaged code is compiled again, and without a folder nothing is kept", async () => {
  // A source of its own: V8 does not look at the kept code of one that this process has compiled before.
  const other = join(folder, "other.cjs");
  writeFileSync(other, wrapped("exports.hook = async () => ({ status: 0, kind: 'other' });"));
  const name = `other-b3-${process.version}-${process.arch}.bin`;
  writeFileSync(join(folder, name), `${"start".padEnd(255)}\nnot compiled code`);
  const again = loadWithCodeCache<Hook>(other, "b3", folder);
  assert.equal((await again.module.hook([])).status, 0);
  again.save("files");
  assert.equal(kinds(name), "files");
  rmSync(join(folder, name));
  loadWithCodeCache(file, "b3", undefined).save("start");
  assert.ok(!kept().some((each) => each.includes("-b3-")));
});

test("files next to the program are loaded and kept with it", () => {
  const name = join(folder, "whole.cjs");
  writeFileSync(name, wrapped("exports.part = () => require('./part.cjs').value;"));
  writeFileSync(join(folder, "part.cjs"), wrapped("exports.value = 'of the part';"));
  const whole = loadWithCodeCache<{ part(): string }>(name, "b4", folder);
  assert.equal(whole.module.part(), "of the part");
  whole.save("prompt");
  assert.deepEqual(
    kept()
      .filter((each) => each.includes("-b4-"))
      .map((each) => each.split("-")[0]),
    ["part", "whole"],
  );
});

test("the code of each part is kept apart, and all of it goes with its build", () => {
  const program = join(folder, "program.cjs");
  writeFileSync(program, wrapped("exports.main = () => 1;"));
  loadWithCodeCache(program, "b5", folder, "stats").save("stats");
  loadWithCodeCache(program, "b5", folder, "list").save("list");
  const ofProgram = (): string[] => kept().filter((name) => name.startsWith("program-"));
  assert.deepEqual(
    ofProgram().map((name) => name.split("-v")[0]),
    ["program-list-b5", "program-stats-b5"],
  );
  loadWithCodeCache(program, "b6", folder, "stats").save("stats");
  assert.deepEqual(
    ofProgram().map((name) => name.split("-v")[0]),
    ["program-stats-b6"],
  );
});
