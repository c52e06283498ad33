/**
 * Qwen Code's hooks: Claude Code's events and answers. It drops the context that a hook gives before a tool, so dex
 * answers afterwards; a command that fails may come as an event of its own. A resumed session has lost the text of its
 * start.
 */
import { additionalContext, readClaudeStyleEvent } from "../../hooks/claude_style.ts";
import { folderOf, type HookHost, idOf } from "../../hooks/hook_host.ts";
import { afterTool, beforeTool } from "../../hooks/tool_events.ts";

export const qwenCodeHooks: HookHost = {
  read: (input) => {
    const name = String(input.hook_event_name);
    const common = { name, session: idOf(input.session_id), folder: folderOf(input.cwd) };
    if (name === "PostToolUse") return afterTool(common, input, input.tool_response);
    if (name === "PostToolUseFailure") return beforeTool(common, input.tool_name, input.tool_input);
    const event = readClaudeStyleEvent(input);
    return event?.kind === "start" ? { ...event, isLost: input.source === "resume" } : event;
  },
  answer: additionalContext,
};
