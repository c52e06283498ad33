/**
 * Codex. Claude Code's events and answers, but an object with a field it does not know is refused whole; it reads files
 * through the shell and edits them with patches.
 */

import { readClaude } from "../claude_code/hooks.ts";
import { type Host, hookSpecific } from "../hooks/hook_host.ts";

/** Others may run, but take no context. */
const TAKEN = new Set(["SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "PostCompact"]);

export const codex: Host = {
  id: "codex",
  read: (input) => (TAKEN.has(String(input.hook_event_name)) ? readClaude(input) : undefined),
  answer: hookSpecific,
};
