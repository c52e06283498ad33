/** The scale, what feedback does to it, and how evidence becomes an answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FeedbackCount } from "../store/state/suggestions.ts";
import { estimateTokens } from "../tokens/estimate.ts";
import { type ChooseOptions, choose } from "./combine.ts";
import type { Candidate, Evidence } from "./evidence.ts";
import { MAX_SHIFT_LOGITS, shiftsFrom } from "./feedback/score_shift.ts";
import { ITEM_TYPES, type ItemType } from "./model.ts";
import { chanceOf, chanceOfLead, type EvidenceKind, leadsOf, SCALE } from "./scale.ts";
import { ageInWords, itemText } from "./text.ts";
import { termIndex, useTermIndex, wording, wordMatches } from "./words.ts";

const kinds = Object.keys(SCALE) as EvidenceKind[];

test("every kind of evidence gives a chance that never falls with its strength", () => {
  for (const kind of kinds) {
    let before = -1;
    for (let strength = 0; strength <= 1; strength += 0.05) {
      const chance = chanceOf(kind, strength);
      assert.ok(chance >= before && chance >= 0 && chance <= 1, `${kind} at ${strength}`);
      before = chance;
    }
    assert.equal(chanceOf(kind, Number.NaN), chanceOf(kind, 0));
    assert.equal(chanceOf(kind, 7), chanceOf(kind, 1));
  }
});

test("fitted kinds read their features; a missing or broken one counts for nothing", () => {
  const usual = { recent: 1, breadth: 0.2, usual: 0.3 };
  const old = { ...usual, recent: 0 };
  assert.ok(chanceOf("conversation_edited", 0, usual) > chanceOf("conversation_edited", 0, old));
  assert.equal(
    chanceOf("conversation_edited", 0, { ...usual, recent: Number.NaN }),
    chanceOf("conversation_edited", 0, old),
  );
});

test("a hit that leads is likelier, one among equals is not", () => {
  assert.ok(chanceOfLead(1.5, 0.6) > 0.5);
  assert.ok(chanceOfLead(1, 0.3) < 0.2);
  assert.ok(chanceOfLead(1.2, 0.8) > chanceOfLead(1.2, 0.2));
  assert.deepEqual(leadsOf([4, 2, 1]), [2, 0.5, 0.25]);
  assert.deepEqual(leadsOf([3, 3]), [1, 1]);
  assert.equal(leadsOf([3]).length, 1);
});

function candidate(entityId: string, evidence: Partial<Evidence>[], over: Partial<Candidate> = {}): Candidate {
  return {
    type: "related_code",
    entityId,
    title: entityId,
    summary: "a summary",
    actionUrl: entityId,
    time: null,
    evidence: evidence.map((each) => ({ kind: "likely_file", strength: 0.7, share: 1, reason: "a reason", ...each })),
    ...over,
  };
}

function cut(over: Partial<ChooseOptions> = {}): ChooseOptions {
  const types = new Set<ItemType>(ITEM_TYPES);
  return {
    gate: 0.5,
    maxItems: 5,
    maxTokens: undefined,
    types,
    without: new Set(),
    kindShifts: {},
    shift: () => 0,
    ...over,
  };
}

test("evidence for one entity adds up by kind, stays below certainty, and gives one item", () => {
  const alone = choose([candidate("file:a", [{}])], cut()).items[0];
  const both = choose(
    [candidate("file:a", [{}]), candidate("file:a", [{ kind: "failing_test", reason: "other" }])],
    cut(),
  );
  const again = choose([candidate("file:a", [{}]), candidate("file:a", [{ reason: "the same again" }])], cut())
    .items[0];
  assert.equal(both.items.length, 1);
  assert.ok((both.items[0]?.relevanceScore ?? 0) > (alone?.relevanceScore ?? 1));
  assert.equal(again?.relevanceScore, alone?.relevanceScore);
  const all = choose(
    [
      candidate(
        "file:a",
        kinds.map((kind) => ({ kind })),
      ),
    ],
    cut(),
  ).items[0];
  assert.ok((all?.relevanceScore ?? 1) < 1);
});

test("items below the gate are dropped and counted with the best score", () => {
  const { items, below, tokens } = choose([candidate("file:a", [{ share: 0.1 }])], cut());
  assert.deepEqual(items, []);
  assert.equal(tokens, 0);
  assert.equal(below.count, 1);
  assert.ok((below.best ?? 1) < 0.5 && (below.best ?? 0) > 0);
});

test("one type does not fill all places, and no item below the gate replaces it", () => {
  const many = Array.from({ length: 8 }, (_, i) => candidate(`file:${i}`, [{}]));
  const doc = candidate("doc:a", [{ strength: 0.55 }], { type: "doc" });
  const { items } = choose([...many, doc], cut());
  assert.equal(items.length, 5);
  assert.ok(items.some(({ type }) => type === "doc"));
  assert.equal(items.filter(({ type }) => type === "related_code").length, 4);
  assert.ok(items.every(({ relevanceScore }) => relevanceScore >= 0.5));
});

test("the answer does not depend on the order of the candidates", () => {
  const all = [
    candidate("file:b", [{}]),
    candidate("file:a", [{}]),
    candidate("commit:c", [{ strength: 0.6 }], { type: "change", time: 5 }),
    candidate("commit:d", [{ strength: 0.6 }], { type: "change", time: 9 }),
  ];
  assert.deepEqual(choose(all, cut()), choose(all.toReversed(), cut()));
  const ids = choose(all, cut()).items.map(({ entityId }) => entityId);
  assert.ok(ids.indexOf("commit:d") < ids.indexOf("commit:c"), "of equal scores the newer first");
  assert.ok(ids.indexOf("file:a") < ids.indexOf("file:b"));
});

test("the text of an item says its type and its text once", () => {
  const text = (title: string, summary: string): string | undefined => {
    const [item] = choose([candidate("decision:a", [{}], { type: "decision", title, summary })], cut()).items;
    return item && itemText(item).replace(/\n.*| \(\d+% likely\)/gs, "");
  };
  const whole = "keep one writer, because two corrupt the log (not taken: leases)";
  assert.equal(text("Decision: keep one writer, because…", whole), `[decision] ${whole}`);
  assert.equal(text("Decision (proposed): keep one writer", whole), `[decision, proposed] ${whole}`);
  assert.equal(text("Deprecated: openLog", "use keepLog"), "[decision] Deprecated: openLog");
});

test("a token budget is kept exactly, and filled up with shorter items", () => {
  const long = candidate("file:long", [{ strength: 0.9 }], { summary: "many words ".repeat(60) });
  const short = candidate("file:short", [{}]);
  const whole = choose([long, short], cut());
  assert.equal(whole.tokens, estimateTokens(whole.items.map(itemText).join("\n")));
  for (const maxTokens of [1, 20, 40, whole.tokens - 1, whole.tokens]) {
    const { items, tokens } = choose([long, short], cut({ maxTokens }));
    assert.ok(tokens <= maxTokens, `${tokens} of ${maxTokens}`);
    assert.equal(tokens, items.length === 0 ? 0 : estimateTokens(items.map(itemText).join("\n")));
  }
  assert.deepEqual(
    choose([long, short], cut({ maxTokens: 60 })).items.map(({ entityId }) => entityId),
    ["file:short"],
  );
});

test("items already seen and types not wanted are left out", () => {
  const all = [candidate("file:a", [{}]), candidate("doc:b", [{}], { type: "doc" })];
  assert.deepEqual(
    choose(all, cut({ without: new Set(["file:a"]) })).items.map(({ entityId }) => entityId),
    ["doc:b"],
  );
  assert.deepEqual(
    choose(all, cut({ types: new Set(["related_code"]) })).items.map(({ type }) => type),
    ["related_code"],
  );
});

function outcomes(project: string, used: number, dismissed: number, type = "doc"): FeedbackCount[] {
  const each = { project_id: project, type };
  return [
    { ...each, action: "used", count: used, expected: used * 0.6 },
    { ...each, action: "dismissed", count: dismissed, expected: dismissed * 0.6 },
  ];
}

test("uses raise, dismissals lower, never by more than a logit; other projects by half, other types not at all", () => {
  assert.equal(shiftsFrom([], "p")("doc"), 0);
  const raised = shiftsFrom(outcomes("p", 4, 0), "p")("doc");
  const lowered = shiftsFrom(outcomes("p", 0, 4), "p")("doc");
  assert.ok(raised > 0 && lowered < 0);
  assert.ok(shiftsFrom(outcomes("p", 8, 0), "p")("doc") > raised);
  assert.equal(shiftsFrom(outcomes("p", 100_000, 0), "p")("doc"), MAX_SHIFT_LOGITS);
  assert.equal(shiftsFrom(outcomes("p", 0, 100_000), "p")("doc"), -MAX_SHIFT_LOGITS);
  assert.ok(Math.abs(shiftsFrom(outcomes("p", 4, 0), "q")("doc") - raised / 2) < 1e-9);
  assert.equal(shiftsFrom(outcomes("p", 4, 0), "p")("decision"), 0);
  const asExpected = shiftsFrom(outcomes("p", 60, 40), "p")("doc");
  assert.ok(Math.abs(asExpected) < 0.01, "what comes as the scores said moves nothing");
});

test("feedback moves a score across the gate", () => {
  const doc = [candidate("doc:a", [{ strength: 0.52 }], { type: "doc" })];
  assert.equal(choose(doc, cut()).items.length, 1);
  assert.equal(choose(doc, cut({ shift: shiftsFrom(outcomes("p", 0, 20), "p") })).items.length, 0);
});

const BY_TEXT = wording(({ t }: { t: string }) => t);

test("coverage counts rare words more, and is comparable between questions", () => {
  const texts = [
    { t: "retry the webhook queue" },
    { t: "retry the upload" },
    { t: "retry the parser" },
    { t: "colours of a chart" },
  ];
  const [webhook, upload, , chart] = wordMatches(["retry", "webhook"], texts, BY_TEXT);
  assert.deepEqual(webhook, { share: 1, rarest: 1, words: ["retry", "webhook"] });
  assert.ok(upload && upload.share > 0 && upload.share < 0.5 && upload.rarest < 1);
  assert.deepEqual(chart, { share: 0, rarest: 0, words: [] });
  assert.deepEqual(wordMatches([], texts.slice(0, 1), BY_TEXT), [chart]);
});

test("a prepared index gives the same coverage as the texts themselves", () => {
  const list = ["retry the webhook queue", "retry the upload", "colours of a chart"].map((t) => ({ t }));
  const question = ["webhook", "retried"];
  const prepared = list.map(({ t }) => ({ t }));
  const byIndex = wording<{ t: string }>(() => assert.fail("the text was analysed again"));
  useTermIndex(prepared, termIndex(list, BY_TEXT), byIndex);
  assert.deepEqual(wordMatches(question, prepared, byIndex), wordMatches(question, list, BY_TEXT));
});

test("ages in words", () => {
  const day = 86_400_000;
  assert.equal(ageInWords(0, 30_000), "just now");
  assert.equal(ageInWords(0, 2 * 3_600_000), "2 hours ago");
  assert.equal(ageInWords(0, day), "1 day ago");
  assert.equal(ageInWords(0, 70 * day), "2 months ago");
  assert.equal(ageInWords(day, 0), "just now");
});
