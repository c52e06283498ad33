/** Claude Code's hooks. After a compaction it starts the session again, with the source `compact`. */
import { additionalContext, readClaudeStyleEvent } from "../../hooks/claude_style.ts";
import type { HookHost } from "../../hooks/hook_host.ts";

export const claudeCodeHooks: HookHost = { read: readClaudeStyleEvent, answer: additionalContext };
