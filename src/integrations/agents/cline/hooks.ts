/**
 * Cline's hooks. The extension names an event after its file and takes context with all of them. The command line has
 * names of its own for the same files; it starts those of a task and of a prompt without reading their output, so dex
 * answers only those of tool calls there. The extension sends the parameters of a call as text, the command line also as
 * they are.
 */
import { isRepeatable } from "../../../conversations/activity/shell/commands.ts";
import { asArray, asObject, asString, type Json, type JsonObject } from "../../../kernel/json.ts";
import { filesOf, folderOf, type HookHost, idOf, promptOf } from "../../hooks/hook_host.ts";
import { beforeTool } from "../../hooks/tool_events.ts";

export const clineHooks: HookHost = {
  read: (input) => {
    const name = String(input.hookName);
    const common = { name, session: sessionOf(input), folder: folderOf(asArray(input.workspaceRoots)[0]) };
    switch (name) {
      case "TaskStart":
        return { ...common, kind: "start", source: "startup" };
      case "TaskResume":
        return { ...common, kind: "start", source: "resume" };
      case "UserPromptSubmit":
        return { ...common, kind: "prompt", prompt: promptOf(asObject(input.userPromptSubmit).prompt) };
      case "PreToolUse":
      case "tool_call": {
        const call = callOf(asObject(input.preToolUse), asObject(input.tool_call));
        return beforeTool(common, call.name, call.input);
      }
      case "PostToolUse":
      case "tool_result": {
        const call = callOf(asObject(input.postToolUse), asObject(input.tool_result));
        return { ...common, kind: "files", files: filesOf(call.name, call.input) };
      }
      case "PreCompact":
        return { ...common, kind: "compacted" };
      case "TaskComplete":
      case "agent_end":
        return { ...common, kind: "end" };
      default:
        return undefined;
    }
  },
  answer: (_event, text) => ({ cancel: false, contextModification: text }),
};

/** A subagent of the command line shares the task's id and has one of its own. */
function sessionOf(input: JsonObject): string | undefined {
  const task = idOf(input.taskId);
  const agent = idOf(input.parent_agent_id) === undefined ? undefined : idOf(input.agent_id);
  return task !== undefined && agent !== undefined ? `${task}/${agent}` : task;
}

interface Call {
  name: Json | undefined;
  input: Json | undefined;
}

/** Tools of the command line that have a form of their own get a common one. */
function callOf(asText: JsonObject, asIs: JsonObject): Call {
  const name = asIs.name ?? asText.toolName;
  const input = asIs.input ?? asText.parameters;
  const fields = asObject(input);
  if (name === "editor") return { name: "edit", input: { ...fields, new_string: fields.new_text ?? "" } };
  if (name !== "run_commands") return { name, input };
  const commands = asArray(fields.commands).flatMap((each) => asString(each) ?? []);
  return { name: "run_command", input: { command: commands.find(isRepeatable) ?? commands[0] ?? "" } };
}
