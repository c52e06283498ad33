/** Checks the similarity thresholds with pairs that mean the same and pairs that only look alike. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { modelPath } from "../embedding/locate.ts";
import { StaticEmbedder } from "../embedding/static.ts";
import { nearTexts } from "./near.ts";

const SAME: readonly [string, string][] = [
  ["Never commit directly to main", "Do not commit directly to the main branch"],
  ["Use pnpm, not npm", "Always use pnpm instead of npm"],
  ["The tests need Redis running on port 6380", "Tests require a Redis server at port 6380"],
  ["Run the linter before every commit", "Before committing, run the linter"],
  ["Dates are stored in UTC", "All dates are stored as UTC"],
  ["The retry limit of the uploader is 5", "Uploader retries at most 5 times"],
  ["Don't touch generated files under src/gen", "Files in src/gen are generated: never edit them"],
  ["Prefer early returns over nested if", "Use early returns rather than nested ifs"],
  ["The staging database is rebuilt every night", "Staging database gets rebuilt nightly"],
  ["API keys are read from the environment only", "Read API keys only from environment variables"],
  ["Use tabs for indentation in Go files", "Go files are indented with tabs"],
  ["parseConfig throws on unknown keys", "parseConfig raises an error when a key is unknown"],
  ["Write commit messages in the imperative", "Commit messages use the imperative mood"],
  ["The build takes ten minutes on CI", "CI builds take about ten minutes"],
  ["Node 20 is too old for this repository", "This repo needs a newer Node than 20"],
  ["Close the file handle before renaming on Windows", "On Windows a file must be closed before it is renamed"],
  ["フィールド名は英語にする", "フィールド名は英語で書く"],
  ["Never force-push to shared branches", "Do not force push on a shared branch"],
];

const OTHER: readonly [string, string][] = [
  ["Never commit directly to main", "Never commit secrets"],
  ["Use pnpm, not npm", "Use vitest, not jest"],
  ["The tests need Redis running on port 6380", "The server listens on port 8080"],
  ["Run the linter before every commit", "Run the migrations after every deploy"],
  ["Dates are stored in UTC", "Prices are stored in cents"],
  ["The retry limit of the uploader is 5", "The page size of the list is 50"],
  ["Don't touch generated files under src/gen", "Don't add dependencies without asking"],
  ["Prefer early returns over nested if", "Prefer composition over inheritance"],
  ["The staging database is rebuilt every night", "The cache is warmed at start-up"],
  ["API keys are read from the environment only", "Log files rotate at ten megabytes"],
  ["Use tabs for indentation in Go files", "Use two spaces for indentation in YAML files"],
  ["parseConfig throws on unknown keys", "parseConfig caches its result by path"],
  ["Write commit messages in the imperative", "Write documentation in British English"],
  ["The build takes ten minutes on CI", "The nightly job deletes old artifacts"],
  ["Node 20 is too old for this repository", "Python 3.12 is used for scripts"],
  ["Close the file handle before renaming on Windows", "Paths on Windows use backslashes"],
  ["フィールド名は英語にする", "テストは毎回実行する"],
  ["Never force-push to shared branches", "Delete branches after they are merged"],
  ["The auth token expires after one hour", "The session cookie is http only"],
];

test("texts of the same meaning are near, texts that only look alike are not", () => {
  const model = new StaticEmbedder(modelPath());
  const isNear = ([a, b]: readonly [string, string]): boolean =>
    nearTexts(a, [{ id: "b", text: b }], (text) => model.embed(text)).length > 0;
  const missed = SAME.filter((pair) => !isNear(pair));
  const wrong = OTHER.filter(isNear);
  model.close();
  assert.ok(missed.length <= 1, `${missed.length} of ${SAME.length} missed: ${JSON.stringify(missed)}`);
  assert.ok(wrong.length <= 1, `${wrong.length} of ${OTHER.length} wrong: ${JSON.stringify(wrong)}`);
});

test("without a model the words alone are compared", () => {
  const others = [
    { id: "1", text: "The build takes ten minutes on our CI" },
    { id: "2", text: "Dates are stored in UTC" },
  ];
  assert.deepEqual(
    nearTexts("CI build: takes ten minutes", others).map(({ of }) => of.id),
    ["1"],
  );
  assert.deepEqual(nearTexts("…", others), []);
});
