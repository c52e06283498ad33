import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { test } from "node:test";
import { CodeFixture, dumpCode } from "../../../../test/support/code.ts";
import type { CodeWriter } from "../../../store/code.ts";
import { openCodeWriter } from "../../../store/engine/code_writer.ts";
import { openCode } from "../../project.ts";
import { Changes } from "../changes.ts";
import { toEntities } from "../entities.ts";
import { EntityTerms } from "../entity_terms.ts";
import { readFile } from "../read_file.ts";
import { openHelpers } from "./helpers.ts";
import { resolveEdges } from "./resolve_edges.ts";

const FILES = 400;

/** Each calls functions of the two after it, one of them twice, and uses a name that is not there. */
function manyModules(): Record<string, string> {
  const files: Record<string, string> = {};
  for (let i = 0; i < FILES; i += 1) {
    const [next, second] = [(i + 1) % FILES, (i + 2) % FILES];
    files[`m${i}.ts`] = `import { f${next} } from "./m${next}.ts";
import { f${second}, type T${second} } from "./m${second}.ts";
export interface T${i} { size: number }
export function f${i}(of: T${second}): number {
  if (of.size > 1) return f${next}(of);
  return f${next}(of) + f${second}(of) + missing();
}
`;
  }
  return files;
}

async function newStore(fixture: CodeFixture, home: string, paths: readonly string[]): Promise<CodeWriter> {
  const { path: database } = fixture.project(home);
  mkdirSync(dirname(database), { recursive: true });
  const writer = openCodeWriter(database);
  const terms = new EntityTerms();
  for (const path of paths) {
    const read = await readFile({ root: fixture.root, path, known: undefined });
    assert.ok(typeof read === "object" && !("gone" in read));
    const entities = toEntities(path, read, terms);
    writer.put({ ...read, path, stamp: "", test: false, entities }, terms.names);
  }
  writer.endFiles();
  return writer;
}

test("relations that threads resolve are those of one thread", { skip: availableParallelism() < 2 }, async () => {
  const files = manyModules();
  const fixture = new CodeFixture(files);
  try {
    const dumps: string[][] = [];
    for (const filesPerThread of [FILES + 1, 100]) {
      const home = `home${dumps.length}`;
      const writer = await newStore(fixture, home, Object.keys(files));
      assert.equal(await resolveEdges(writer, new Changes(true), undefined, filesPerThread), FILES);
      writer.commit();
      dumps.push([...fixture.read(dumpCode, home), ...[...writer.needs()].map(([path, needs]) => `${path} ${needs}`)]);
      writer.close();
    }
    assert.deepEqual(dumps[1], dumps[0]);
    assert.equal(dumps[0]?.filter((line) => /^edge .*"relation":"CALLS"/.test(line)).length, 2 * FILES);
  } finally {
    fixture.dispose();
  }
});

test("a store that threads can read is missing until it is committed", async () => {
  const fixture = new CodeFixture({ "a.ts": "export function one() {}\n" });
  const isMissing = (): boolean => {
    const { store, missing } = openCode(fixture.project());
    store.close();
    return missing;
  };
  try {
    const killed = await newStore(fixture, "home", ["a.ts"]);
    assert.ok(killed.shareFiles() !== undefined);
    assert.ok(isMissing());
    killed.close();
    const writer = openCodeWriter(fixture.project().path);
    assert.equal(writer.totals().files, 0, "what was left is removed");
    writer.close();
    const { added, connected } = await fixture.index();
    assert.deepEqual([added, connected, isMissing()], [1, 1, false]);
    const again = openCodeWriter(fixture.project().path);
    assert.equal(again.shareFiles(), undefined, "a store that others read");
    assert.equal(openHelpers(again, 100, 1), undefined);
    again.close();
  } finally {
    fixture.dispose();
  }
});
