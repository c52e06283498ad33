import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import { temporaryFolder } from "../../../test/support/repository.ts";
import { indexProject } from "../../code/indexing/indexer.ts";
import { findCodeProject, openCode } from "../../code/project.ts";
import { listedChanges } from "../../project/changes.ts";
import type { Touch } from "../../store/history_records.ts";
import { FEATURE_NAMES, FEATURES } from "./features.ts";
import { likelyFiles } from "./likely.ts";
import { PROMPT_FEATURE_NAMES, PROMPT_FEATURES } from "./prompt/features.ts";
import { promptFiles } from "./prompt/prompt_files.ts";
import { PROMPT_WEIGHTS, SEVERAL, WEIGHTS } from "./weights.ts";

/** Changes, the latest first. */
function changes(...files: string[][]) {
  return listedChanges(files.map((each, at): Touch => ({ time: 1_000_000 - at, files: each })));
}

const repeat = (times: number, ...files: string[]): string[][] => Array.from({ length: times }, () => files);

describe("files that are likely to be touched", () => {
  test("without any source there is no prediction", () => {
    assert.deepEqual(likelyFiles({ files: ["src/a.ts"] }), []);
    assert.deepEqual(likelyFiles({ files: [] }), []);
    assert.deepEqual(likelyFiles({ files: ["src/a.ts"], commits: changes() }), []);
  });

  test("files that co-change more often are more likely, and the reason says so", () => {
    const commits = changes(
      ...repeat(8, "src/a.ts", "src/b.ts"),
      ["src/a.ts", "src/c.ts"],
      ...repeat(12, "src/other.ts", "src/more.ts"),
    );
    const found = likelyFiles({ files: ["src/a.ts"], commits });
    assert.equal(found[0]?.path, "src/b.ts");
    const chance = new Map(found.map(({ path, probability }) => [path, probability]));
    assert.ok((chance.get("src/b.ts") ?? 0) > 2 * (chance.get("src/c.ts") ?? 1));
    assert.match(found[0]?.reasons[0] ?? "", /^also changed in 8 of the 9 commits that changed it$/);
    assert.deepEqual(found[0]?.changed, { support: 8, confidence: 8 / 9, last: 1_000_000 });
    for (const { probability } of found) assert.ok(probability >= 0 && probability <= 1);
  });

  test("each further change together makes it more likely", () => {
    let before = 0;
    for (const times of [1, 2, 4, 8]) {
      const commits = changes(...repeat(times, "a.ts", "x/b.ts"), ...repeat(10, "a.ts", "y/c.ts"));
      const found = likelyFiles({ files: ["a.ts"], commits });
      const { probability = 0 } = found.find(({ path }) => path === "x/b.ts") ?? {};
      assert.ok(probability > before, `${times} changes: ${probability} after ${before}`);
      before = probability;
    }
  });

  test("the same question has the same answer, whatever the order of equals", () => {
    const files = ["d.ts", "c.ts", "b.ts"];
    const one = likelyFiles({ files: ["a.ts"], commits: changes(["a.ts", ...files]) });
    const other = likelyFiles({ files: ["a.ts"], commits: changes(["a.ts", ...files.toReversed()]) });
    assert.deepEqual(one, other);
    assert.deepEqual(
      one.map(({ path }) => path),
      ["b.ts", "c.ts", "d.ts"],
    );
  });

  test("conversations alone give an answer; deleted and given files are left out", () => {
    const conversations = changes(...repeat(5, "a.ts", "b.ts", "gone.ts", "c.ts"));
    const found = likelyFiles({ files: ["a.ts", "c.ts"], conversations, exists: (path) => path !== "gone.ts" });
    assert.deepEqual(
      found.map(({ path }) => path),
      ["b.ts"],
    );
    assert.match(found[0]?.reasons[0] ?? "", /^also edited in (?:all|5 of the) \d+ conversations that edited it$/);
    assert.equal(found[0]?.changed, undefined);
  });

  test("an additional source never lowers a probability", () => {
    const commits = changes(...repeat(6, "a.ts", "b.ts"));
    const alone = likelyFiles({ files: ["a.ts"], commits })[0];
    const both = likelyFiles({ files: ["a.ts"], commits, conversations: changes(["z.ts", "y.ts"]) })[0];
    assert.ok((both?.probability ?? 0) >= (alone?.probability ?? 1));
  });

  test("weights of evidence are not negative", () => {
    for (const name of FEATURE_NAMES) if (FEATURES[name]) assert.ok(WEIGHTS[name] >= 0, name);
    for (const name of PROMPT_FEATURE_NAMES) if (PROMPT_FEATURES[name]) assert.ok(PROMPT_WEIGHTS[name] >= 0, name);
    assert.ok(SEVERAL.best >= 0 && SEVERAL.second >= 0);
  });
});

describe("with the code graph", async () => {
  const folder = temporaryFolder();
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write("src/pool.ts", "export function openPool(): number {\n  return 1;\n}\n");
  write("src/pool.test.ts", 'import { openPool } from "./pool.ts";\ntest("opens", () => openPool());\n');
  write("lib/server.ts", 'import { openPool } from "../src/pool.ts";\nexport const server = () => openPool();\n');
  write("far/away.ts", "export const away = 1;\n");
  const project = findCodeProject(join(folder, "code"), folder);
  await indexProject(project, { now: 1 });
  const { store } = openCode(project);
  after(() => store.close());

  test("without a history it answers by imports and tests", () => {
    const found = likelyFiles({ files: ["src/pool.ts"], code: store });
    const paths = found.map(({ path }) => path);
    assert.equal(paths[0], "src/pool.test.ts");
    assert.ok(paths.includes("lib/server.ts"));
    assert.ok(found[0]?.reasons.includes("tests it"));
    assert.ok(found.find(({ path }) => path === "lib/server.ts")?.reasons.includes("imports it"));
  });

  test("a test that changed with the file in half of its commits comes first, with about that chance", () => {
    const half = Array.from({ length: 20 }, (_, at) => ["src/pool.ts", ...(at % 2 === 0 ? ["src/pool.test.ts"] : [])]);
    const others = Array.from({ length: 20 }, (_, at) => [`src/other${at % 7}.ts`]);
    const [first] = likelyFiles({ files: ["src/pool.ts"], code: store, commits: changes(...half, ...others) });
    assert.equal(first?.path, "src/pool.test.ts");
    assert.ok(first.probability > 0.3 && first.probability < 0.7, String(first.probability));
  });

  test("a coupling without an import is named", () => {
    const commits = changes(...repeat(5, "src/pool.ts", "far/away.ts"));
    const found = likelyFiles({ files: ["src/pool.ts"], code: store, commits });
    const away = found.find(({ path }) => path === "far/away.ts");
    assert.ok(away?.reasons.includes("changes with it though neither imports the other"), String(away?.reasons));
  });

  test("a prompt: named files, defined names, near conversations", () => {
    const named = promptFiles({ prompt: "Please fix src/pool.ts, it leaks", code: store });
    assert.equal(named[0]?.path, "src/pool.ts");
    assert.equal(named[0]?.reasons[0], "the prompt names it");
    const defined = promptFiles({ prompt: "openPool should take a size", code: store });
    assert.equal(defined[0]?.path, "src/pool.ts");
    assert.ok(defined[0]?.reasons.includes("defines openPool"));
    const near = promptFiles({ prompt: "the thing again", near: [{ score: 3, files: ["far/away.ts"] }] });
    assert.deepEqual(
      near.map(({ path }) => path),
      ["far/away.ts"],
    );
    assert.deepEqual(promptFiles({ prompt: "hello" }), []);
    const touches = [{ time: 1, files: ["cmd/main.go"] }];
    const chance = (prompt: string): number =>
      promptFiles({ prompt, near: touches.map((each) => ({ ...each, score: 0 })) })[0]?.probability ?? 0;
    assert.ok(chance("compare it with main, please") < chance("split the main function"), "the branch is not a file");
  });
});
