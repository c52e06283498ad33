import assert from "node:assert/strict";
import { test } from "node:test";
import { rankPassages } from "../evidence/answering.ts";
import { presumedChangeNote } from "./presumed_change.ts";
import { NO_MODELS, weighQuestion } from "./question_words.ts";
import { significantTerms } from "./terms.ts";

function unconfirmed(query: string, text: string): boolean {
  const having = new Map(significantTerms(query).map((term) => [term, 2]));
  const asked = weighQuestion(query, { texts: 40, having }, NO_MODELS);
  const passage = { ref: "S1", collection: "conversations", document: "aaaa", title: "", text, score: 1 };
  return presumedChangeNote(asked, rankPassages(asked, [passage])).length > 0;
}

const ADDED = "The mooring winch needs the --brake flag. Add --brake to the base arguments, so it is always passed.";

test("a text that knows of no removal does not answer why something was removed", () => {
  assert.ok(unconfirmed("why did we remove the --brake flag of the winch?", ADDED));
  assert.ok(unconfirmed("when was the winch renamed?", ADDED));
  assert.ok(unconfirmed("why was the winch changed back to the old arguments?", ADDED));
});

test("another verb for the same change confirms it, next to its subject or in a list below", () => {
  const query = "why did we drop the --brake flag of the winch?";
  assert.ok(!unconfirmed(query, "The --brake flag of the winch is gone: we removed it, because it wore the drum."));
  assert.ok(!unconfirmed(query, "Removed:\n- the --brake flag of the winch, which wore the drum"));
  assert.ok(!unconfirmed("when was the winch renamed?", "The winch was renamed to capstan."));
});

test("a change of something else in the same text is not the change that is asked about", () => {
  const far = "Line one.\nLine two.\nLine three.\nLine four.";
  assert.ok(
    unconfirmed(
      "why did we drop the --brake flag of the winch?",
      `${ADDED}\n${far}\nThe harbour removed its old buoys.`,
    ),
  );
});

test("a question that takes no change for granted asks for none", () => {
  assert.ok(!unconfirmed("how do I remove the --brake flag?", ADDED));
  assert.ok(!unconfirmed("why does the winch need --brake?", ADDED));
  assert.ok(!unconfirmed("why did we add --brake?", ADDED));
});
