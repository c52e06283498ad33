/**
 * OpenCode has plugins instead of hooks: dex's own plugin (`plugin.ts`) turns OpenCode's events into these, and puts
 * the text where the model reads it. Text can be added after a tool call only.
 */
import { folderOf, type HookHost, idOf, promptOf, sourceOf } from "../../hooks/hook_host.ts";
import { afterTool } from "../../hooks/tool_events.ts";

export const opencodeHooks: HookHost = {
  read: (input) => {
    const name = String(input.hook_event_name);
    const common = { name, session: idOf(input.session_id), folder: folderOf(input.cwd) };
    switch (name) {
      case "session.start":
        return { ...common, kind: "start", source: sourceOf(input.source) };
      case "chat.message":
        return { ...common, kind: "prompt", prompt: promptOf(input.prompt) };
      case "tool.execute.after":
        return afterTool(common, input, input.tool_result);
      case "session.idle":
        return { ...common, kind: "end" };
      case "session.compacted":
        return { ...common, kind: "compacted" };
      default:
        return undefined;
    }
  },
  answer: (_event, text) => ({ text }),
};
