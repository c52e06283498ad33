/**
 * Cursor's hooks. Cursor accepts context when a session starts and after a tool call, but not with a prompt or before a
 * call (`beforeShellExecution` only decides), so dex looks nothing up then. The project is the first of the window's
 * folders.
 */
import { asArray, asString } from "../../../kernel/json.ts";
import { filesOf, folderOf, type HookHost, idOf, sourceOf } from "../../hooks/hook_host.ts";
import { afterTool } from "../../hooks/tool_events.ts";

export const cursorHooks: HookHost = {
  read: (input) => {
    const name = String(input.hook_event_name);
    const session = idOf(input.conversation_id) ?? idOf(input.session_id);
    const common = { name, session, folder: folderOf(asArray(input.workspace_roots)[0] ?? input.cwd) };
    switch (name) {
      case "sessionStart":
        return { ...common, kind: "start", source: sourceOf(input.source) };
      case "afterFileEdit": {
        const file = asString(input.file_path);
        const files = file ? [file] : filesOf(input.tool_name, input.tool_input);
        return { ...common, kind: "files", files, edited: files };
      }
      case "postToolUse":
        return afterTool(common, input, input.tool_output);
      case "sessionEnd":
        return { ...common, kind: "end" };
      case "preCompact":
        return { ...common, kind: "compacted" };
      default:
        return undefined;
    }
  },
  answer: (_event, text) => ({ additional_context: text }),
};
