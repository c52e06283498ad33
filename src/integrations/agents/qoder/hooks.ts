/** The hooks of Qoder's command line: Claude Code's events and answers, also before a call. */
import { additionalContext, readClaudeStyleEvent } from "../../hooks/claude_style.ts";
import type { HookHost } from "../../hooks/hook_host.ts";

export const qoderHooks: HookHost = { read: readClaudeStyleEvent, answer: additionalContext };
