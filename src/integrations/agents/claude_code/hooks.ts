/**
 * Claude Code's hooks. After a compaction it starts the session again, with the source `compact`. VS Code's own agent
 * runs the hooks in the same files.
 */
import { additionalContext, readClaudeStyleEvent } from "../../hooks/claude_style.ts";
import type { HookHost } from "../../hooks/hook_host.ts";
import { isFromVsCode, readVsCodeEvent } from "../../hooks/vscode_events.ts";

export const claudeCodeHooks: HookHost = {
  read: (input) => (isFromVsCode(input) ? readVsCodeEvent(input) : readClaudeStyleEvent(input)),
  answer: additionalContext,
};
