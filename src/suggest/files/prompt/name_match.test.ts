import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readFileNames, storedFileNames } from "../../../code/answers/file_names.ts";
import { shrunk } from "../likely.ts";
import { PROMPT_NAMES_WEIGHTS } from "../weights.ts";
import { PROMPT_FEATURE_NAMES } from "./features.ts";
import { nameMatches } from "./name_match.ts";
import { promptEvidence, promptFiles } from "./prompt_files.ts";

const PATHS = [
  "src/utils/cookie.ts",
  "src/utils/cookie.test.ts",
  "src/helper/cookie/index.ts",
  "src/helper/accepts/accepts.ts",
  "src/helper/streaming/stream.ts",
  "src/middleware/cors/index.ts",
  "src/router/reg-exp-router/router.ts",
  "src/compose.ts",
  "docs/guide.md",
];
const names = readFileNames(
  storedFileNames(PATHS.map((path) => ({ path, language: path.endsWith("md") ? "document" : "typescript" }))),
);
const matched = (prompt: string, exists?: (path: string) => boolean): string[] => [
  ...nameMatches(prompt, new Set(PATHS), exists).keys(),
];

describe("the words of paths", () => {
  test("the path with most words of the prompt comes first, then the name with fewest others", () => {
    const [first, second] = matched("add a SameSite option to the cookie helper");
    assert.equal(first, "src/helper/cookie/index.ts");
    assert.equal(second, "src/utils/cookie.ts");
  });

  test("words count by their stems, and common words of prompts not at all", () => {
    assert.equal(matched("streamed answers")[0], "src/helper/streaming/stream.ts");
    assert.deepEqual(matched("do it with the next one"), []);
    assert.deepEqual(matched(""), []);
  });

  test("a file that is gone takes no place", () => {
    const found = nameMatches("the cookie helper", new Set(PATHS), (path) => path !== "src/helper/cookie/index.ts");
    assert.equal(found.get("src/helper/cookie/index.ts"), undefined);
    assert.equal([...found.values()][0]?.rank, 1);
    assert.equal([...found.values()][0]?.share, 1);
  });

  test("without a code graph a prompt leads to files by their names, and says by which words", () => {
    const prompt = "add a SameSite option to the cookie helper";
    const found = promptFiles({ prompt, names });
    assert.deepEqual(
      found
        .slice(0, 2)
        .map(({ path }) => path)
        .sort(),
      ["src/helper/cookie/index.ts", "src/utils/cookie.ts"],
    );
    const helper = found.find(({ path }) => path === "src/helper/cookie/index.ts");
    assert.deepEqual(helper?.reasons, ["its name is in the prompt"]);
    const [router] = promptFiles({ prompt: "the regular expressions of the router are slow", names });
    assert.equal(router?.path, "src/router/reg-exp-router/router.ts");
    const cors = promptFiles({ prompt: "which middleware runs first", names }).find(({ path }) =>
      path.includes("cors"),
    );
    assert.deepEqual(cors?.reasons, ["its path has middleware"]);
    const test = found.findIndex(({ path }) => path === "src/utils/cookie.test.ts");
    assert.ok(test > found.findIndex(({ path }) => path === "src/utils/cookie.ts"));
    assert.deepEqual(promptFiles({ prompt, names }), found);
  });

  test("the score is the sum of all features times the weights for names", () => {
    const evidence = promptEvidence({ prompt: "the cookie helper and src/compose.ts", names });
    assert.ok(evidence.length > 3);
    for (const { path, features, score } of evidence) {
      const sum = PROMPT_FEATURE_NAMES.reduce(
        (all, name) => all + PROMPT_NAMES_WEIGHTS[name] * features[name],
        PROMPT_NAMES_WEIGHTS.bias,
      );
      assert.equal(score, shrunk(sum), path);
    }
  });
});
