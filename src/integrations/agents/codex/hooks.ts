/**
 * Codex's hooks: Claude Code's events and answers. Codex rejects an answer with an unknown field, reads files through
 * the shell and edits them with patches.
 */
import { additionalContext, readClaudeStyleEvent } from "../../hooks/claude_style.ts";
import type { HookHost } from "../../hooks/hook_host.ts";

/** Codex runs hooks for other events too, but takes no context from them. */
const ANSWERED = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PreCompact",
  "PostCompact",
  "SessionEnd",
]);

export const codexHooks: HookHost = {
  read: (input) => (ANSWERED.has(String(input.hook_event_name)) ? readClaudeStyleEvent(input) : undefined),
  answer: additionalContext,
};
