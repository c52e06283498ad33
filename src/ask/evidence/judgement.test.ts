import assert from "node:assert/strict";
import { test } from "node:test";
import { asked } from "../../../test/support/asked.ts";
import type { ReadPassage } from "../passage.ts";
import { type Ranked, rankPassages } from "./answering.ts";
import { highestConfidence, judgePassages, nearestOf, otherCollectionsNote, refusalText } from "./judgement.ts";

const TEXT = "The log file is rotated at midnight, and the old one is kept for a week.";
const OTHER = "Messages are coloured by their level.";

function found(query: string, texts: readonly (readonly [string, string])[]): Ranked[] {
  const passages = texts.map(
    ([collection, text], i): ReadPassage => ({
      ref: `S${i + 1}`,
      collection,
      document: `${collection}-${i}.md`,
      title: "Guide",
      text,
      score: 1 - i / 20,
    }),
  );
  return rankPassages(asked(query), passages);
}

test("a question that two collections match belongs to neither for sure, unless it names one", () => {
  const query = "When is the log file of the server rotated?";
  const alone = judgePassages(asked(query), found(query, [["pino", TEXT]]));
  const ranked = found(query, [
    ["pino", TEXT],
    ["winston", TEXT],
    ["flask", OTHER],
  ]);
  const both = judgePassages(asked(query), ranked);
  assert.deepEqual([alone.collections, both.collections], [["pino"], ["pino", "winston"]]);
  assert.ok(both.probability < alone.probability);
  assert.equal(both.named, alone.probability);
  assert.deepEqual([highestConfidence(alone, true), highestConfidence(both, true)], ["high", "medium"]);
  assert.deepEqual(otherCollectionsNote(alone), []);
  assert.match(otherCollectionsNote(both).join(), /also be about winston/);
  const unclear = { ...both, probability: 0.3, named: 0.7 };
  assert.match(refusalText(unclear), /not clear which collection .* pino, winston\. Name one/);
  assert.deepEqual(
    nearestOf(ranked, unclear).map(({ passage }) => passage.collection),
    ["pino", "winston"],
  );
  assert.equal(refusalText({ ...both, probability: 0.1, named: 0.2 }), "The sources do not answer this.");
  assert.equal(refusalText(judgePassages(asked(query), [])), "Nothing was found about this.");
});

test("an answer from commits, code or messages that lacks a word of the question is only quoted with low confidence", () => {
  const of = (collection: string) => judgePassages(asked("log"), found("log", [[collection, TEXT]]));
  const most = (collection: string) => [true, false].map((hasAll) => highestConfidence(of(collection), hasAll));
  assert.deepEqual(
    [most("pino"), most("commits"), most("code")],
    [
      ["high", "high"],
      ["medium", "low"],
      ["medium", "low"],
    ],
  );
});

test("a name that the best passage lacks makes an answer less probable; capitals of other languages are not names", () => {
  const probability = (query: string): number =>
    judgePassages(asked(query), found(query, [["pino", TEXT]])).probability;
  assert.ok(probability("How is the log file rotated by Kafka?") < probability("How is the log file rotated by hand?"));
  assert.ok(probability("How is the log file rotated by Pino?") > probability("How is the log file rotated by Kafka?"));
  assert.equal(
    probability("Wann wird die Datei der Protokolle gedreht?"),
    probability("wann wird die datei der protokolle gedreht?"),
  );
});

test("a document comes before a message that matches slightly better, unless the question is about the past", () => {
  const said = "For replicate, I added a command that overwrites the refs of the target.";
  const written = "- `replicate`: the command overwrites the refs of the target";
  const first = (query: string): string | undefined =>
    found(query, [
      ["conversations", said],
      ["project", written],
    ])[0]?.passage.collection;
  assert.equal(first("what does the replicate command do?"), "project");
  assert.equal(first("why did replicate become a command?"), "conversations");
});

test("a question for a count is refused unless a sentence about it has a number", () => {
  const probability = (query: string, text: string): number =>
    judgePassages(asked(query), found(query, [["pino", text]])).probability;
  const query = "how many people use the logger?";
  assert.equal(probability(query, "Many people prefer this logger."), 0);
  assert.equal(probability(query, "Many people prefer this logger.\n\nIt is 10 times as fast."), 0);
  assert.ok(probability(query, "About 30 people use this logger.") > 0);
  assert.ok(probability("how do I see how many people use the logger?", "People use the logger.") > 0);
});

test("a word alone is answered only by a section about it", () => {
  const probability = (query: string, title: string): number => {
    const passage: ReadPassage = { ref: "S1", collection: "pino", document: "a.md", title, text: TEXT, score: 1 };
    return judgePassages(asked(query), rankPassages(asked(query), [passage])).probability;
  };
  assert.equal(probability("midnight", "Guide"), 0);
  assert.ok(probability("midnight", "Midnight") > 0);
  assert.ok(probability("What happens at midnight?", "Guide") > 0);
});
