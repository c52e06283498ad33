/**
 * Factory Droid's hooks: Claude Code's events and answers. Before a call a hook may only decide, so dex answers
 * afterwards.
 */
import { additionalContext, readClaudeStyleEvent } from "../../hooks/claude_style.ts";
import { folderOf, type HookHost, idOf } from "../../hooks/hook_host.ts";
import { afterTool } from "../../hooks/tool_events.ts";

export const factoryDroidHooks: HookHost = {
  read: (input) => {
    const name = String(input.hook_event_name);
    if (name === "PreToolUse") return undefined;
    if (name !== "PostToolUse") return readClaudeStyleEvent(input);
    return afterTool(
      { name, session: idOf(input.session_id), folder: folderOf(input.cwd) },
      input,
      input.tool_response,
    );
  },
  answer: additionalContext,
};
