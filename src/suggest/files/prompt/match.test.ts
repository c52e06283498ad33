import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import { temporaryFolder } from "../../../../test/support/repository.ts";
import { indexProject } from "../../../code/indexing/indexer.ts";
import { findCodeProject, openCode } from "../../../code/project.ts";
import { type ChangeHistory, listedChanges } from "../../../project/changes.ts";
import { shrunk } from "../likely.ts";
import { PROMPT_WEIGHTS } from "../weights.ts";
import { PROMPT_FEATURE_NAMES } from "./features.ts";
import { matchPrompt } from "./match.ts";
import { promptEvidence, promptFiles } from "./prompt_files.ts";

describe("matching a prompt's words with the code", async () => {
  const folder = temporaryFolder();
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write(
    "src/sender.ts",
    "/** Posts a delivery, and tries again after a pause. */\nexport function sendDelivery(url: string): void {}\n" +
      "/** The pause before the next attempt, as the receiver asked for. */\nexport function pauseFor(answer: string): number { return 0; }\n",
  );
  write("src/other.ts", "/** The pause between two frames. */\nexport function frame(): void {}\n");
  for (let i = 0; i < 12; i += 1) {
    write(`src/part${i}.ts`, `/** Draws shape ${i} on the canvas. */\nexport function draw${i}(): void {}\n`);
  }
  write("src/odd.ts", "/** x 0 t s d doesn isn */\nexport function odd(s: string, t: string): void {}\n");
  write("src/booking.ts", "/** 重複を避ける */\nexport function book(): void {}\n");
  write("src/polite.ts", "/** 値を渡してください */\nexport function pass(): void {}\n");
  write("src/twice.ts", "export function draw(): void {}\nexport function drawAgain(): void {}\n");
  write("src/stamp.ts", "export function pressStamp(): void {}\n");
  write(
    "src/stamp.test.ts",
    'import { pressStamp } from "./stamp.ts";\n' +
      '/** The ink of a stamp dries before the paper is folded. */\ntest("MissingInkError", () => pressStamp());\n',
  );
  write("src/updates.ts", "/** Updates, once something new was added. */\nexport const updates = 1;\n");
  for (const place of ["", "parts/", "parts/deep/"]) write(`${place}README.md`, "# Shapes\n\nRead the readme first.\n");
  write("lib/painters/oil.ts", "export function oil(): void {}\n");
  const project = findCodeProject(join(folder, "code"), folder);
  await indexProject(project, { now: 1 });
  const { store } = openCode(project);
  after(() => store.close());

  test("the file that has more of the rare words comes first, by shares", () => {
    const found = matchPrompt("the delivery should pause longer before the next attempt", store);
    const [path, first] = [...found][0] ?? [];
    assert.equal(path, "src/sender.ts");
    assert.equal(first?.rank, 1);
    assert.ok((first?.lead ?? 0) > 0);
    assert.deepEqual([...(first?.words ?? [])].sort(), ["attempt", "before", "delivery", "next", "pause"]);
    const other = found.get("src/other.ts");
    assert.ok(other && other.coverage < (first?.coverage ?? 0) && other.lead === 0 && other.rank === 0.5);
    for (const each of found.values()) {
      for (const value of [each.share, each.coverage, each.rank, each.lead]) assert.ok(value >= 0 && value <= 1);
    }
  });

  test("a file mentions a name or a sentence only if it has all of it, otherwise the parts that it has", () => {
    assert.deepEqual(matchPrompt("sendDelivery", store).get("src/sender.ts")?.words, ["sendDelivery"]);
    assert.deepEqual(matchPrompt("stopDelivery", store).get("src/sender.ts")?.words, ["delivery"]);
    assert.deepEqual(matchPrompt("予約の重複を調べてください", store).get("src/booking.ts")?.words, ["重複"]);
  });

  test("endings of Japanese words match no file beside other words", () => {
    assert.deepEqual([...matchPrompt("重複を調べてください", store).keys()], ["src/booking.ts"]);
  });

  test("single letters and digits, and the parts of contractions, are not words", () => {
    const found = matchPrompt("bump x to 0.5.0: the frame doesn't draw, and there's a gap", store);
    const words = new Set([...found.values()].flatMap((match) => match.words));
    assert.deepEqual([...words].sort(), ["draw", "frame"]);
    assert.equal(matchPrompt("x 0 t", store).size, 0);
  });

  test("words of an instruction are not its subject, unless the prompt has no others", () => {
    const words = (prompt: string) => [...matchPrompt(prompt, store).values()].flatMap((match) => match.words);
    assert.deepEqual([...new Set(words("add a new frame, and draw it"))].sort(), ["draw", "frame"]);
    assert.deepEqual([...new Set(words("update it"))], ["update"]);
  });

  test("of files with the same name, the prompt means the one nearest to the root; a folder may be in the plural", () => {
    const found = (prompt: string) => promptFiles({ prompt, code: store }).map(({ path }) => path);
    assert.equal(found("say how it is installed in the readme")[0], "README.md");
    assert.equal(found("say how it is installed in the readme of the parts")[0], "parts/README.md");
    const [first] = promptFiles({ prompt: "a painter for water", code: store });
    assert.equal(first?.path, "lib/painters/oil.ts");
    assert.equal(first?.reasons[0], "the name of its folder is in the prompt");
  });

  test("a word that many files have weighs little", () => {
    const shares = new Map(store.searchFiles(["draw", "frame"], 20).map(({ path, share }) => [path, share]));
    assert.ok((shares.get("src/other.ts") ?? 0) > 0.8);
    assert.ok((shares.get("src/twice.ts") ?? 1) < 0.2);
  });

  test("words that no file has count for nothing, and nothing is found by them", () => {
    const one = store.searchFiles(["paus"], 20);
    const both = store.searchFiles(["paus", "zeppelin"], 20);
    assert.deepEqual(
      both.map(({ path, share }) => [path, share]),
      one.map(({ path, share }) => [path, share]),
    );
    assert.deepEqual(store.searchFiles(["zeppelin"], 20), []);
    assert.deepEqual(store.searchFiles([], 20), []);
    assert.equal(matchPrompt("the and of", store).size, 0);
    assert.equal(matchPrompt("", store).size, 0);
  });

  test("the best score is the search's own, and the number of files is bounded", () => {
    const files = store.searchFiles(["draw"], 3);
    assert.equal(files.length, 3);
    const [entity] = store.search({ terms: ["draw"] }, {}, 1).hits;
    const path = entity ? store.entity(entity.no)?.path : undefined;
    assert.equal(files[0]?.path, path);
  });

  test("a prompt of plain words leads to the file, and says by which", () => {
    const prompt = "the delivery should pause longer before the next attempt";
    const [first] = promptFiles({ prompt, code: store });
    assert.equal(first?.path, "src/sender.ts");
    assert.ok(
      first?.reasons.some((reason) => reason.startsWith("mentions ")),
      String(first?.reasons),
    );
    const without = promptEvidence({ prompt }).find(({ path }) => path === "src/sender.ts");
    assert.equal(without, undefined);
    assert.deepEqual(promptFiles({ prompt, code: store }), promptFiles({ prompt, code: store }));
  });

  test("a test never comes before the file that it tests, unless the prompt is about tests or names the test", () => {
    const order = (prompt: string, commits?: ChangeHistory): string[] =>
      promptFiles({ prompt, code: store, ...(commits ? { commits } : {}) })
        .map(({ path }) => path)
        .filter((path) => path.startsWith("src/stamp"));
    const both = ["src/stamp.ts", "src/stamp.test.ts"];
    const often = listedChanges(
      Array.from({ length: 9 }, (_, at) => ({ time: 99 - at, files: ["src/stamp.test.ts"] })),
    );
    assert.deepEqual(order("where does the ink dry before the paper is folded?"), both);
    assert.deepEqual(order("where does the ink dry before the paper is folded?", often), both);
    assert.deepEqual(order("change src/stamp.test.ts so that the ink dries", often), both.toReversed());
    const [first] = promptFiles({ prompt: "where does the ink dry before the paper is folded?", code: store });
    assert.match(String(first?.reasons), /^its test src\/stamp\.test\.ts: mentions /);
    const stamp = (prompt: string): string =>
      String(promptFiles({ prompt, code: store, commits: often }).find(({ path }) => path === "src/stamp.ts")?.reasons);
    assert.equal(
      stamp("rotate the passwords of the office"),
      "its test src/stamp.test.ts: is changed often at the moment",
    );
  });

  test("the code and similar conversations together promise little, except for the best file of a focused one", () => {
    const prompt = "the delivery of src/sender.ts should pause longer before the next attempt";
    const files = ["src/sender.ts", "src/other.ts"];
    const near = [{ score: 3, files }];
    const [alone] = promptFiles({ prompt, code: store });
    const [first, second] = promptFiles({ prompt, code: store, near });
    assert.deepEqual([alone?.path, first?.path, second?.path], ["src/sender.ts", "src/sender.ts", "src/other.ts"]);
    assert.ok((alone?.probability ?? 0) > 0.5, String(alone?.probability));
    assert.equal(first?.probability, 0.57);
    assert.ok((second?.probability ?? 1) < 0.5, String(second?.probability));
    const many = Array.from({ length: 30 }, (_, at) => `many/file${at}.ts`);
    const [spread] = promptFiles({ prompt, code: store, near: [{ score: 3, files: [...files, ...many] }] });
    assert.equal(spread?.path, "src/sender.ts");
    assert.ok(spread.probability < 0.5, String(spread.probability));
    // Without a code graph, a file that the prompt names is as likely as before.
    const [named] = promptFiles({ prompt, near });
    assert.ok((named?.probability ?? 0) > 0.5, String(named?.probability));
  });

  test("a test with the name of a symbol does not define it", () => {
    const found = promptFiles({ prompt: "why is MissingInkError thrown?", code: store });
    for (const { reasons } of found)
      assert.ok(!reasons.some((reason) => reason.startsWith("defines")), String(reasons));
  });

  test("the score is the sum of all features times their weights", () => {
    const found = promptEvidence({ prompt: "where does the ink dry before src/stamp.ts is folded?", code: store });
    assert.ok(found.length > 1);
    for (const { features, score } of found) {
      const sum = PROMPT_FEATURE_NAMES.reduce(
        (all, name) => all + PROMPT_WEIGHTS[name] * features[name],
        PROMPT_WEIGHTS.bias,
      );
      assert.equal(score, shrunk(sum));
    }
  });
});
