/**
 * Auggie's hooks: Claude Code's tool fields, with its own names for the session and the folder. It gives the model what a
 * hook adds at the start of a session and after a tool; it runs a hook for a prompt, too, but drops the answer.
 */
import { asArray } from "../../../kernel/json.ts";
import { folderOf, type HookHost, idOf } from "../../hooks/hook_host.ts";
import { afterTool } from "../../hooks/tool_events.ts";

export const auggieHooks: HookHost = {
  read: (input) => {
    const name = String(input.hook_event_name);
    const folder = folderOf(asArray(input.workspace_roots)[0]);
    const common = { name, session: idOf(input.conversation_id), folder };
    if (name === "SessionStart") return { ...common, kind: "start", source: "startup" };
    if (name === "SessionEnd") return { ...common, kind: "end" };
    return name === "PostToolUse" ? afterTool(common, input, input.tool_error ?? input.tool_output) : undefined;
  },
  answer: (_event, text) => ({ additionalContext: text }),
};
