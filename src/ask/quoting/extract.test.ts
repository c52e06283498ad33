import assert from "node:assert/strict";
import { test } from "node:test";
import { rankPassages } from "../evidence/answering.ts";
import type { ReadPassage } from "../passage.ts";
import { NO_MODELS, weighQuestion } from "../question/question_words.ts";
import { questionTerms, significantTerms } from "../question/terms.ts";
import { extract } from "./extract.ts";
import { unitsOf } from "./units/units.ts";

const MAX_TOKENS = 500;

function passage(ref: string, section: string, lines: readonly [number, number], text: string): ReadPassage {
  return { ref, collection: "zoo", document: "README.md", title: "Zoo", section, lines, text, score: 1 };
}

function quoted(query: string, passages: readonly ReadPassage[], maxTokens = MAX_TOKENS): string {
  const counts = { texts: 40, having: new Map(significantTerms(query).map((term) => [term, 2])) };
  const ranked = rankPassages(weighQuestion(query, counts, NO_MODELS), passages);
  return extract(ranked, passages[0], questionTerms(query, ""), maxTokens)?.text ?? "";
}

const leads = (text: string): (string | undefined)[] => {
  const units = unitsOf(text);
  return units.map(({ lead }) => (lead === undefined ? undefined : units[lead]?.text));
};

test("a unit belongs to the item, sentence or summary above it", () => {
  assert.deepEqual(leads("Do this:\n\n- one\n  - nested\n- two\n\nLater on."), [
    undefined,
    "Do this:",
    "- one",
    "Do this:",
    undefined,
  ]);
  assert.deepEqual(leads("- one\n\n    - nested after a blank line\n\nAfter it.\n\n    code()"), [
    undefined,
    "- one",
    undefined,
    "After it.",
  ]);
  assert.deepEqual(leads("<details><summary>Why?</summary><br/>\n\nBecause.\n\n</details>\n\nAfter it."), [
    undefined,
    "Why?",
    undefined,
  ]);
  assert.deepEqual(leads("<details>\n<summary>Click to expand</summary>\n\nText here.\n\n</details>"), [undefined]);
});

test("a passage that another version of the page repeats is quoted once", () => {
  const text = "Feed the zebra twice a day.\n\nIt eats hay, and carrots on Sundays.";
  const copy = { ...passage("S2", "Feeding", [1, 3], text), document: "v2/README.md" };
  const other = { ...passage("S3", "Feeding", [1, 3], "Feed the zebra at noon."), document: "notes.md" };
  const answer = quoted("how often do I feed the zebra?", [passage("S1", "Feeding", [1, 3], text), copy, other]);
  assert.match(answer, /\[S1\]/);
  assert.doesNotMatch(answer, /\[S2\]/);
  assert.match(answer, /\[S3\]/);
});

test("the quotation of a definition includes the first sentence of its comment", () => {
  const params = Array.from({ length: 30 }, (_, i) => `The value feed_zebra takes at hour ${i}, see feed_zebra.`).join(
    "\n\n",
  );
  const text = `Carries hay to the stable.\n\n${params}\n\n\`\`\`py\ndef feed_zebra(hour): ...\n\`\`\``;
  const code = { ...passage("S1", "feed_zebra", [1, 70], text), collection: "code", document: "zoo.py" };
  assert.match(quoted("what does feed_zebra do?", [code], 200), /Carries hay to the stable/);
});

/** Longer than the part of an answer up to which a section is quoted whole. */
const FILLER = "Zebras graze on the open plains and drink at the river in the evening. ".repeat(40);

test("a nested item is quoted with its parent, a question in the text with its answer", () => {
  const list = `${FILLER}\n\n- Turn on swc.\n  - The fastest option by far.\n- Something else.`;
  assert.match(quoted("Which option is the fastest?", [passage("S1", "Speed", [1, 9], list)]), /Turn on swc/);
  const faq = `${FILLER}\n\n<details><summary>Should I commit my secrets?</summary><br/>\n\nNo. Unless you encrypt them.\n\n</details>\n\n${FILLER}`;
  const answer = quoted("should I commit secrets?", [passage("S1", "FAQ", [1, 9], faq)]);
  assert.match(answer, /Should I commit my secrets\?/);
  assert.match(answer, /Unless you encrypt them/);
  assert.doesNotMatch(answer, /summary/);
});

test("a subsection that is cited itself is not quoted a second time with the section above it", () => {
  const below = "To make it faster, skip the checks.";
  const answer = quoted("How do I make it faster?", [
    passage("S1", "Performance", [1, 9], `These tricks make it faster.\n\n### Skip checks\n\n${below}`),
    passage("S2", "Performance > Skip checks", [4, 9], below),
  ]);
  assert.equal(answer.split(below).length, 2);
  assert.match(answer, /Skip checks\*\* \[S2\]/);
});

test("below a heading that is a question, the first sentences are quoted", () => {
  const text = `No: each animal has its own.\n\n${FILLER}\n\nTwo keepers share the enclosure of the lions.\n\n${FILLER}`;
  const answer = quoted("can two lions share one enclosure?", [
    passage("S1", "Questions > May animals live together?", [1, 9], text),
  ]);
  assert.match(answer, /No: each animal has its own\.[\s\S]*Two keepers share/);
});

test("the solution is quoted, not the problem; a title between an introduction and its code is included", () => {
  const solution = {
    ...passage("S1", "Solution", [9, 14], "Oil the hinges:\n\n**With a brush:**\n\n```sh\noil --hinges\n```"),
    problem: "The gate squeaks when it opens.",
  };
  const answer = quoted("the gate squeaks", [solution]);
  assert.match(answer, /Oil the hinges:\n\n\*\*With a brush:\*\*\n\n```sh\noil --hinges/);
  assert.doesNotMatch(answer, /squeaks/);
});

test("the unit of a long section that answers by its meaning is quoted, although others have more words of the question", () => {
  const spread = "It is said that a zebra may sleep. ".repeat(60);
  const text = `${FILLER}\n\n${spread}\n\nStripes rest upright for about an hour a night.\n\n${FILLER}`;
  const passages = [passage("S1", "Nights", [1, 9], text)];
  const query = "how long does a zebra sleep?";
  const ranked = rankPassages(weighQuestion(query, { texts: 40, having: new Map() }, NO_MODELS), passages);
  const byMeaning = (each: string): number => (each.includes("an hour a night") ? 1 : 0.1);
  const near = (each: string): number => byMeaning(each) / 2;
  const made = extract(ranked, passages[0], questionTerms(query, ""), MAX_TOKENS, { near, sentence: byMeaning });
  assert.match(made?.text ?? "", /an hour a night/);
  assert.match(made?.text ?? "", /a zebra may sleep/);
});

test("the rest of the budget is filled from another place of a long section", () => {
  const text = `The keeper feeds zebras.\n\n${FILLER}\n\nBring hay.\n\n${FILLER}\n\nOn Sundays zebras get carrots.`;
  const answer = quoted("what does the keeper feed zebras?", [passage("S1", "Food", [1, 9], text)]);
  assert.match(answer, /The keeper feeds zebras/);
  assert.match(answer, /carrots/);
});

test("a section that ranks near the best one is quoted, although it shares only the word that all of them have", () => {
  const query = "change priority of a waiting task";
  const passages = [
    passage("S1", "Running tasks", [1, 3], "Each waiting task has a priority. A change is reported."),
    passage("S2", "Set priority", [5, 7], "Updates the priority of an entry by its id."),
  ];
  const asked = weighQuestion(query, { texts: 40, having: new Map() }, NO_MODELS);
  const ranked = rankPassages(asked, passages).map((each) => ({ ...each, worth: 1 }));
  assert.match(extract(ranked, passages[0], questionTerms(query, ""), MAX_TOKENS)?.text ?? "", /by its id/);
});
