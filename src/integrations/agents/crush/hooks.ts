/**
 * Crush's hooks. Every version runs one before a tool call of the main agent and shows its context to the model together
 * with the result, so dex speaks about a file there, too. An answer without a decision leaves the permission to Crush.
 */
import { filesOf, folderOf, type HookHost, idOf } from "../../hooks/hook_host.ts";
import { beforeTool } from "../../hooks/tool_events.ts";

export const crushHooks: HookHost = {
  read: (input) => {
    const name = String(input.event);
    if (name !== "PreToolUse") return undefined;
    const common = { name, session: idOf(input.session_id), folder: folderOf(input.cwd) };
    const event = beforeTool(common, input.tool_name, input.tool_input);
    return event ?? { ...common, kind: "files", files: filesOf(input.tool_name, input.tool_input) };
  },
  answer: (_event, text) => ({ context: text }),
};
