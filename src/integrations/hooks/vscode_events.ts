/**
 * The hooks of VS Code's own agent. It has no files of its own for them: it runs those of Claude Code and Copilot CLI,
 * whose hosts ask here first. It sends and takes Claude Code's fields, whatever file the hook is in, so an answer to
 * it is the same from both, and a session hears each fact once. It ignores matchers.
 */
import type { JsonObject } from "../../kernel/json.ts";
import { readClaudeStyleEvent } from "./claude_style.ts";
import { folderOf, type HookEvent, idOf } from "./hook_host.ts";
import { afterTool } from "./tool_events.ts";

/** Neither Claude Code nor Copilot CLI sends both the event's name and the time as text; Claude Code sends its mode. */
export function isFromVsCode(input: JsonObject): boolean {
  const { hook_event_name: name, timestamp, permission_mode: mode } = input;
  return typeof name === "string" && typeof timestamp === "string" && mode === undefined;
}

/** The end of a turn is the only end there is. dex waits for the end of a call to speak about it. */
export function readVsCodeEvent(input: JsonObject): HookEvent | undefined {
  const name = String(input.hook_event_name);
  const common = { name, session: idOf(input.session_id), folder: folderOf(input.cwd), sender: "vscode" };
  if (name === "PostToolUse") return afterTool(common, input, input.tool_response);
  if (name === "Stop") return { ...common, kind: "end" };
  if (name === "PreToolUse") return undefined;
  const event = readClaudeStyleEvent(input);
  return event && { ...event, sender: common.sender };
}
