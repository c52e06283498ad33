/**
 * Copilot CLI's hooks, with its own names of events and fields. It takes context when a session starts and after a tool
 * call. With a prompt it lets a hook only replace the text that the model gets (`userPromptTransformed`): dex repeats
 * that text and adds to it. `preToolUse` refuses the call if the hook fails, so dex is not there. A resumed session
 * has lost the text of its start, so dex tells it again.
 *
 * VS Code's own agent reads the same files, but sends and takes Claude Code's fields, also with a prompt.
 */
import { asObject, asString, type JsonObject, parseJson } from "../../../kernel/json.ts";
import { additionalContext } from "../../hooks/claude_style.ts";
import { folderOf, type HookEvent, type HookHost, idOf, promptOf, sourceOf } from "../../hooks/hook_host.ts";
import { afterTool } from "../../hooks/tool_events.ts";
import { isFromVsCode, readVsCodeEvent } from "../../hooks/vscode_events.ts";

export const copilotHooks: HookHost = {
  read: (input) => {
    if (isFromVsCode(input)) return readVsCodeEvent(input);
    const name = nameOf(input);
    const common = { name, session: idOf(input.sessionId), folder: folderOf(input.cwd) };
    switch (name) {
      case "sessionStart":
        return { ...common, kind: "start", source: sourceOf(input.source), isLost: input.source === "resume" };
      case "userPromptTransformed":
        return {
          ...common,
          kind: "prompt",
          prompt: promptOf(input.prompt),
          carrier: asString(input.transformedPrompt) ?? "",
        };
      case "postToolUse": {
        const call = { tool_name: input.toolName ?? null, tool_input: argumentsOf(input) };
        return afterTool(common, call, asObject(input.toolResult).textResultForLlm);
      }
      case "preCompact":
        return { ...common, kind: "compacted" };
      case "sessionEnd":
        return { ...common, kind: "end" };
      default:
        return undefined;
    }
  },
  answer: (event: HookEvent, text: string): JsonObject => {
    if (event.sender !== undefined) return additionalContext(event, text);
    return event.kind === "prompt"
      ? { modifiedTransformedPrompt: `${event.carrier ?? event.prompt}\n\n${text}` }
      : { additionalContext: text };
  },
};

/** Copilot does not name the event in its input, but each event has a field of its own. */
function nameOf(input: JsonObject): string {
  if ("transformedPrompt" in input) return "userPromptTransformed";
  if ("toolResult" in input) return "postToolUse";
  if ("customInstructions" in input || "trigger" in input) return "preCompact";
  if ("reason" in input) return "sessionEnd";
  return "source" in input ? "sessionStart" : "?";
}

/** Tool arguments come as an object, or as its JSON text. */
function argumentsOf({ toolArgs }: JsonObject): JsonObject {
  return asObject(typeof toolArgs === "string" ? parseJson(toolArgs) : toolArgs);
}
