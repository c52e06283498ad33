import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutOwnText } from "./own_text.ts";

const HEAD = "Recorded by dex about this file; each line ends with its source and date:";
const FACTS = `${HEAD}\nDecisions in force:\n- Amounts are whole cents [docs/adr/1.md:3, 2026-01-05]`;

test("in a transcript only dex's own text is removed, wherever the host put it", () => {
  const output = "1: export const a = 1;\n2: // Recorded by dex in a comment";
  for (const stored of [
    `${output}\n\n${FACTS}`,
    `${output}\n\n<hook_context>${FACTS}</hook_context>`,
    `${output}\n<system-reminder>\nPostToolUse:Read hook additional context: ${FACTS}\n</system-reminder>`,
  ]) {
    assert.equal(withoutOwnText(stored).trimEnd(), output);
  }
  for (const kept of [output, "<hook_context>said by another hook</hook_context>", `   12\t${HEAD}\n   13\t- a`]) {
    assert.equal(withoutOwnText(kept), kept);
  }
});
