import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReadPassage } from "../passage.ts";
import { NO_MODELS, type WeighedQuestion, weighQuestion, weightOf } from "../question/question_words.ts";
import { significantTerms } from "../question/terms.ts";
import { nearestPlace } from "../quoting/glimpse.ts";
import { rankPassages } from "./answering.ts";
import { missingWords } from "./missing_words.ts";

const REDACTION: ReadPassage = {
  ref: "S1",
  collection: "pino",
  document: "docs/redaction.md",
  title: "Redaction",
  text: "Is it slow?\n\nGive the paths of keys that hold sensitive data.\n\nThe logger redacts them.\n\n```js\npino({ redact: ['key'] })\n```",
};

function asked(query: string, known: readonly string[]): WeighedQuestion {
  const having = new Map(known.flatMap((word) => significantTerms(word).map((term) => [term, 3])));
  return weighQuestion(query, { texts: 100, having }, NO_MODELS);
}

test("words that the sources or the passages lack are named, forms of a word and the collection's name are not", () => {
  const missing = (query: string, ...known: string[]): string[] => {
    const question = asked(query, known);
    return missingWords(question, rankPassages(question, [REDACTION]), "the nearest sections");
  };
  assert.deepEqual(missing("How do I redact keys in pino?", "redact", "keys", "pino"), []);
  assert.deepEqual(missing("How do I redact a password?", "redact", "password"), [
    'Not in the nearest sections: "password".',
  ]);
  assert.deepEqual(missing("How do I hide a password?", "password"), [
    'Not in the sources: "hide".',
    'Not in the nearest sections: "password".',
  ]);
});

test("a section that does not answer is shown with its sentence that is nearest to the question", () => {
  const { document, excerpt } = nearestPlace(asked("Which keys are slow to redact?", ["redact"]), REDACTION);
  assert.deepEqual([document, excerpt], ["docs/redaction.md", "Give the paths of keys that hold sensitive data."]);
  assert.equal(nearestPlace(asked("keys", []), { ...REDACTION, text: "```js\nkeys()\n```" }).excerpt, undefined);
});

test("the parts of a name decide together as much as one word", () => {
  const { terms } = asked("store sessions in MongoDB", []);
  const weight = (word: string): number => weightOf(terms.filter((term) => term.word === word));
  assert.equal(terms.filter(({ word }) => word === "mongodb").length, 3);
  assert.ok(Math.abs(weight("mongodb") - weight("sessions")) < 1e-9);
});
