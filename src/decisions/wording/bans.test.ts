/** Rules of a person that forbid something, and sentences with the same words that do not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MIN_SHOWN_SCORE, scoreSentence } from "./cues.ts";

const shown = (text: string): readonly string[] | undefined => {
  const { score, alternatives } = scoreSentence(text, { who: "user" });
  return score >= MIN_SHOWN_SCORE ? alternatives : undefined;
};

test("a person forbids something in the project, and dex names it", () => {
  const rules: Readonly<Record<string, string>> = {
    "no ORMs here, write plain SQL": "ORMs",
    "No class components in this project.": "class components",
    "never use axios, use fetch": "axios",
    "never use lodash, the standard library has it all": "lodash",
    "don't use axios, use the built-in fetch instead": "axios",
    "do not use moment anymore, it is too big": "moment",
    "please don't add `lodash` again, it doubled the bundle": "`lodash`",
    "we don't use Redux in this app, only zustand": "Redux",
    "we're not using moment any more": "moment",
    "stop using enzyme, write the tests with testing-library": "enzyme",
    "avoid moment, because it is deprecated": "moment",
    "moment is banned, use luxon": "moment",
    "default exports must not be used": "default exports",
    "always use parameterized queries, never string concatenation": "string concatenation",
    "from now on all money is in cents, never floats": "floats",
  };
  for (const [rule, name] of Object.entries(rules)) assert.deepEqual(shown(rule), [name], rule);
});

test("orders for the task, reports, questions and conditions forbid nothing", () => {
  const others = [
    "no errors here, all good",
    "No changes in this commit.",
    "no tests in this project",
    "no problem, use the other file",
    "never mind, use the other file",
    "never seen this error before",
    "don't use the browser to test this, use curl",
    "don't use subagents here",
    "do not push yet",
    "don't commit this, i want to review it",
    "we don't use that branch any more",
    "avoid the failing test for now",
    "don't use axios here?",
    "don't use axios here unless the server needs it",
    "should we never use axios here?",
    "it is never used here",
    "we don't use it anywhere",
    "don't forget tests, they are important",
    "do not worry, it is fine",
  ];
  for (const text of others) assert.equal(shown(text), undefined, text);
});

test("an agent that reports a rule does not make it", () => {
  assert.equal(scoreSentence("We don't use axios here, it is too big.", { who: "assistant" }).score, 0);
});
