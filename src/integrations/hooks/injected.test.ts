import assert from "node:assert/strict";
import { test } from "node:test";
import { HEADS, withoutInjected } from "./injected.ts";

const FACTS = `${HEADS.start}\nDecisions in force:\n- Amounts are whole cents [docs/adr/1.md:3, 2026-01-05]\nLast done here:\n- rounding of the ledger [aaaa, 2026-02-01]`;
const ASKED = "How does the attribution of lines work?\n- it should be exact";

test("dex's own text is removed from a prompt, however a host wraps it, and the user's stays", () => {
  const prompts = [
    `<hook_context>${FACTS}</hook_context>\n\n${ASKED}`,
    `<hook_context source="x">\n${FACTS.replaceAll("<", "&lt;")}\n</hook_context>\n\n${ASKED}`,
    `<hook_context>said by another hook</hook_context>${ASKED}`,
    `${ASKED}\n<system-reminder>\nSessionStart hook additional context: ${FACTS}\n</system-reminder>`,
    `<dex-context>\n## Pins\n- x\n</dex-context>\n${ASKED}`,
    `${FACTS}\n\n${ASKED}`,
    `${HEADS.prompt}\nRelated code:\n- src/a.ts [src/a.ts:1]\n\n${ASKED}`,
    `<hook_context>${FACTS}\n\n${ASKED}`,
  ];
  for (const prompt of prompts) {
    const left = withoutInjected(prompt);
    assert.ok(left.includes(ASKED), prompt);
    assert.doesNotMatch(left, /Recorded by dex|whole cents|rounding|another hook|src\/a\.ts|Pins/, prompt);
  }
});

test("a prompt without such text stays unchanged", () => {
  for (const prompt of [
    ASKED,
    "<system-reminder>be brief</system-reminder> go",
    "a <hook_context that is never closed",
  ]) {
    assert.equal(withoutInjected(prompt), prompt);
  }
});

test("many unclosed tags take linear time", () => {
  const prompt = "<hook_context><system-reminder><dex-context>".repeat(3_000);
  assert.equal(withoutInjected(prompt), prompt);
});
