import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutOwnText } from "../../conversations/texts/own_text.ts";
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
    `${HEADS.prompt}\nRelated files:\n- src/a.ts [src/a.ts:1]\n\n${ASKED}`,
    `<hook_context>${FACTS}\n\n${ASKED}`,
    `<HOOK_CONTEXT>${FACTS}</HOOK_CONTEXT>\n${ASKED}`,
    `<hook_context>a <hook_context>${FACTS}</hook_context> said by another hook</hook_context>${ASKED}`,
    `<hook_context>${FACTS}\n<hook_context>${FACTS}</hook_context>\n\n${ASKED}`,
    `<user-prompt-submit-hook>${FACTS}</user-prompt-submit-hook>\n${ASKED}`,
    `<session-start-hook>said by another hook</session-start-hook>\n${ASKED}`,
    `SessionStart:startup hook additional context: ${FACTS}\n\n${ASKED}`,
    `${FACTS}\ndex: state.db was lost.\n\n${HEADS.files}\nTo look out for:\n- src/a.ts\n\n${ASKED}`,
    `${FACTS.replaceAll("\n", "\r\n")}\r\n\r\n${ASKED}`,
    `<hook_context>${FACTS.replaceAll("\n", "\r\n")}\r\n</hook_context>\r\n${ASKED}`,
  ];
  for (const prompt of prompts) {
    const left = withoutInjected(prompt);
    assert.ok(left.includes(ASKED), prompt);
    assert.doesNotMatch(left, /Recorded by dex|whole cents|rounding|another hook|src\/a\.ts|Pins|state\.db/, prompt);
  }
});

test("a prompt without such text stays unchanged", () => {
  for (const prompt of [
    ASKED,
    "<system-reminder>be brief</system-reminder> go",
    "a <hook_context that is never closed",
    "why does <hook_context> stand in this prompt?",
    "What does `Recorded by dex` mean: is it a hook?",
  ]) {
    assert.equal(withoutInjected(prompt), prompt);
  }
});

test("every head is recognised, and so are those of earlier versions", () => {
  // Transcripts keep them; this list only grows.
  const earlier = [
    "Recorded by dex about this project before this session; each line ends with its source and date:",
    "Recorded by dex and possibly related to this request; each line ends with its source and date:",
    "Recorded by dex about this file; each line ends with its source and date:",
  ];
  for (const head of [...Object.values(HEADS), ...earlier]) {
    assert.equal(withoutOwnText(`done\n\n${head}\nBranch:\n- main; no uncommitted files`).trim(), "done", head);
  }
});

test("many unclosed tags take linear time", () => {
  const prompt = "<hook_context><system-reminder><dex-context>".repeat(3_000);
  assert.equal(withoutInjected(prompt), prompt);
  const nested = `${"<hook_context>".repeat(3_000)}${"</hook_context>".repeat(3_000)}`;
  assert.equal(withoutInjected(`${nested}go`), "go");
});
