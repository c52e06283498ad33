import assert from "node:assert/strict";
import { test } from "node:test";
import { asked } from "../../../test/support/asked.ts";
import { OWN_DOCUMENTS } from "../../collections/declaring/own_documents.ts";
import { CONVERSATIONS, type ReadPassage } from "../passage.ts";
import { evidenceOf, probabilityOf, rankPassages } from "./answering.ts";

const TEXT = "The log file is rotated at midnight, and the old one is kept for a week.";

function passage(document: string, score = 1, collection = "pino"): ReadPassage {
  return { ref: document, collection, document, title: "Guide", text: TEXT, score };
}

const first = (query: string, documents: readonly string[], collection?: string): string | undefined =>
  rankPassages(
    asked(query),
    documents.map((document, i) => passage(document, 1 - i / 20, collection)),
  )[0]?.passage.document;

test("release notes come after pages that match about as well, unless the question is about versions", () => {
  const query = "When is the log file rotated?";
  for (const notes of [
    "CHANGELOG.md",
    "changelog/changelog_14.html",
    "RelNotes/2.7.0.txt",
    "history/whatsnew-4.0.rst",
    "docs/MIGRATION.md",
    "guide/migrating-to-5.0.0.md",
    "HISTORY.md",
  ]) {
    assert.equal(first(query, [notes, "guide.md"]), "guide.md", notes);
    assert.equal(first("Since which version is the log file rotated?", [notes, "guide.md"]), notes);
  }
  for (const page of ["guide/history.md", "orm/migrations.md", "newsletter.md", "changesets.md"])
    assert.equal(first(query, [page, "guide.md"]), page);
});

test("a project's plans come after its other documents, unless the question is about plans or the past", () => {
  const query = "When is the log file rotated?";
  for (const plan of ["docs/plans/rotation.md", "rfcs/0007-logs.md", "docs/archive/logs.md"]) {
    assert.equal(first(query, [plan, "docs/logs.md"], OWN_DOCUMENTS), "docs/logs.md", plan);
    assert.equal(first("What is the plan for the rotated log file?", [plan, "docs/logs.md"], OWN_DOCUMENTS), plan);
    assert.equal(first("Why is the log file rotated?", [plan, "docs/logs.md"], OWN_DOCUMENTS), plan);
    assert.equal(first(query, [plan, "docs/logs.md"]), plan, "documentation of others has pages about plans");
  }
  assert.equal(first(query, ["docs/planets/logs.md", "docs/logs.md"], OWN_DOCUMENTS), "docs/planets/logs.md");
});

test("in a large collection the same passage is less likely an answer; messages have no such size", () => {
  const likely = (texts: number, collection?: string): number => {
    const question = { ...asked("When is the log file rotated?"), texts };
    return probabilityOf(evidenceOf(question, rankPassages(question, [passage("guide.md", 1, collection)])));
  };
  assert.ok(likely(10_000) < likely(40));
  assert.equal(likely(10_000, CONVERSATIONS), likely(40, CONVERSATIONS));
});
