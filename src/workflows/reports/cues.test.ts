import assert from "node:assert/strict";
import { test } from "node:test";
import { typedText } from "../../conversations/texts/typed_text.ts";
import { normalText } from "../batches/merge.ts";
import { preferenceStrength, type RuleKind, ruleKind, withoutFiller } from "./cues.ts";
import { sentencesOf } from "./sentences.ts";

test("distinguishes rules from sentences that only share their words", () => {
  const cases: [string, RuleKind | undefined][] = [
    ["Always run the linter before you commit.", "standing"],
    ["From now on, use pnpm here.", "standing"],
    ["Please never push to main.", "standing"],
    ["I prefer small commits.", "standing"],
    ["We don't use default exports here.", "standing"],
    ["Fix the test, but never with a retry.", "standing"],
    ["don't touch the schema", "instruction"],
    ["use vitest instead of jest", "instruction"],
    ["Find out why and fix it properly, no retries.", "instruction"],
    ["Propose a design before you write any code.", "instruction"],
    ["It always fails on CI.", undefined],
    ["I don't know why it breaks.", undefined],
    ["Why does it never finish?", undefined],
    ["The cache is always-on.", undefined],
    ["Use the new parser.", undefined],
    ["No, the limit is per client.", undefined],
  ];
  for (const [sentence, kind] of cases) assert.equal(ruleKind(sentence, false), kind, sentence);
});

test("a sentence counts as a correction only right after the agent did something", () => {
  const corrections = [
    "No, the limit is per client.",
    "That's not what I asked for.",
    "You forgot the tests.",
    "Why did you delete the fixture?",
    "I said two columns, not three.",
  ];
  for (const sentence of corrections) assert.equal(ruleKind(sentence, true), "correction", sentence);
  for (const sentence of ["no.", "revert it", "wait, is it done?", "Looks good, thanks."]) {
    assert.notEqual(ruleKind(sentence, true), "correction", sentence);
  }
});

test("returns sentences that the person typed, not pasted text", () => {
  const text = [
    "Please fix this. It’s from CI:",
    "```",
    "Always broken code.",
    "```",
    "> quoted: never do it",
    "- use tabs, not spaces",
    "2026-01-01T00:00:00Z error: never",
    "    at Object.run (a.js:1:1)",
    "<system-reminder>Never mention this.</system-reminder>",
    "const x = 1;",
    "Thanks!",
  ].join("\n");
  const said = typedText({ role: "user", parts: [{ type: "text", text }] });
  assert.deepEqual(sentencesOf(said), ["Please fix this.", "It's from CI:", "use tabs, not spaces"]);
  assert.equal(typedText({ role: "user", kind: "summary", parts: [{ type: "text", text: "Always so." }] }), "");
});

test("keeps the first and last sentences of a long paste", () => {
  const plan = Array.from({ length: 200 }, (_, i) => `Always do step ${i}.`).join("\n");
  const sentences = sentencesOf(`Implement this plan.\n${plan}\nNever skip a step.`);
  assert.ok(sentences.length <= 6);
  assert.equal(sentences[0], "Implement this plan.");
  assert.equal(sentences.at(-1), "Never skip a step.");
});

test("hostile texts are handled in bounded time", () => {
  for (const text of [
    "<a>".repeat(20_000),
    "`".repeat(60_000),
    "no, ".repeat(20_000),
    "a ".repeat(40_000),
    "\n".repeat(90_000),
  ]) {
    for (const sentence of sentencesOf(typedText({ role: "user", parts: [{ type: "text", text }] }))) {
      ruleKind(sentence, true);
      withoutFiller(sentence);
    }
  }
});

test("fillers do not distinguish rules", () => {
  const same = ["Please always use tabs.", "ok, always use tabs", "And ALWAYS use tabs, please!"];
  assert.equal(new Set(same.map((sentence) => normalText(withoutFiller(sentence)))).size, 1);
});

test("preferences have a strength", () => {
  assert.equal(preferenceStrength("I prefer zod for validation."), 1);
  assert.equal(preferenceStrength("I like zod better."), 0.5);
  assert.equal(preferenceStrength("Should we use zod?"), 0);
  assert.equal(preferenceStrength("zod is in package.json."), 0);
});
