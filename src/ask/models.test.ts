import assert from "node:assert/strict";
import { test } from "node:test";
import { settingsSchema } from "../config/schema.ts";
import { evidenceOf, probabilityOf, rankPassages } from "./evidence/answering.ts";
import { modelsOf } from "./models.ts";
import type { ReadPassage } from "./passage.ts";
import { type Models, weighQuestion } from "./question/question_words.ts";
import { significantTerms } from "./question/terms.ts";

const QUERY = "How do I keep passwords out of the logs?";
const ANSWER = "Sensitive fields can be hidden from the output: name them, and their values are replaced by stars.";
const SAME_WORDS = "The logs of the installer keep growing: take out the oldest ones before the disk is full.";

function passage(text: string): ReadPassage {
  return { ref: "S1", collection: "docs", document: "guide.md", title: "Guide", text, score: 1 };
}

function probability(models: Models, text: string): number {
  const counts = { texts: 40, having: new Map(significantTerms(QUERY).map((term) => [term, 4])) };
  const asked = weighQuestion(QUERY, counts, models);
  return probabilityOf(evidenceOf(asked, rankPassages(asked, [passage(text)])));
}

test("the encoder finds an answer in other words more probable, and a text that shares only words less", async () => {
  const models = await modelsOf(settingsSchema.parse({}));
  assert.ok(models.sentences);
  const wordsAlone = { ...models, sentences: undefined };
  assert.ok(probability(models, ANSWER) > probability(wordsAlone, ANSWER));
  assert.ok(probability(models, SAME_WORDS) < probability(wordsAlone, SAME_WORDS));
});

test("the models are opened once, and not at all if vectors are turned off", async () => {
  const settings = settingsSchema.parse({});
  const [first, second] = await Promise.all([modelsOf(settings), modelsOf(settings)]);
  assert.equal(first.sentences, second.sentences);
  const off = await modelsOf(settingsSchema.parse({ embedding: { provider: "none" } }));
  assert.deepEqual(off, { words: undefined, sentences: undefined });
});
