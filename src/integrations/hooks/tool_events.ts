/**
 * Events about a tool call, for hosts with Claude Code's fields `tool_name` and `tool_input`: before the call, where the
 * host takes context then, and after it.
 */
import { callFiles } from "../../conversations/activity/derive.ts";
import { editsText } from "../../conversations/activity/edits.ts";
import { callKind, shellCommand } from "../../conversations/activity/tools.ts";
import type { ToolCallPart } from "../../conversations/model.ts";
import { asString, type Json, type JsonObject } from "../../kernel/json.ts";
import { filesOf, type HookEvent } from "./hook_host.ts";

type Common = Pick<HookEvent, "name" | "session" | "folder" | "sender">;

const MAX_COMMAND_CHARS = 4000;
const MAX_EDIT_CHARS = 20_000;
const MAX_OUTPUT_CHARS = 1 << 20;
/** How hosts report the exit code in the text that the model gets. */
const EXIT_CODE = /\bexit(?:ed)?(?: with)?(?: exit)?[ _]?(?:code|status)"?[ :=]+(-?\d+)/gi;

/** Undefined: the call neither edits files nor runs a command. */
export function beforeTool(common: Common, name: Json | undefined, input: Json | undefined): HookEvent | undefined {
  const call = callOf(name, input);
  if (!call) return undefined;
  const kind = callKind(call);
  const isPatch = callFiles(call).some(({ how }) => how === "edited");
  if (kind === "shell" && !isPatch) return commandEvent(common, call);
  if (kind !== "edit" && !isPatch) return undefined;
  const text = editsText(call).slice(0, MAX_EDIT_CHARS);
  return { ...common, kind: "edit", files: filesOf(name, input), text };
}

/**
 * For hosts without context before a call: an edit comes with the files that it edited, and a command only if it
 * failed. `result`: the tool's answer in any shape.
 */
export function afterTool(
  common: Common,
  { tool_name: name, tool_input: input }: JsonObject,
  result: Json | undefined,
): HookEvent | undefined {
  const call = callOf(name, input);
  const files = filesOf(name, input);
  const kind = call && callKind(call);
  if (call && kind === "shell" && files.length === 0) return hasFailed(result) ? commandEvent(common, call) : undefined;
  return { ...common, kind: "files", files, ...(kind === "edit" ? { edited: files } : {}) };
}

function commandEvent(common: Common, call: ToolCallPart): HookEvent | undefined {
  const command = shellCommand(call)?.slice(0, MAX_COMMAND_CHARS);
  return command === undefined ? undefined : { ...common, kind: "command", command };
}

function callOf(name: Json | undefined, input: Json | undefined): ToolCallPart | undefined {
  const tool = asString(name);
  return tool === undefined || input === undefined ? undefined : { type: "tool_call", name: tool, input };
}

/** The last exit code in the result counts: a command's own output may mention others. */
function hasFailed(result: Json | undefined): boolean {
  if (result === undefined) return false;
  // In JSON text, the "n" of an escaped newline would join the first word of a line.
  const whole = typeof result === "string" ? result : JSON.stringify(result).replaceAll("\\n", "\n");
  const text = whole.slice(-MAX_OUTPUT_CHARS);
  const code = [...text.matchAll(EXIT_CODE)].at(-1)?.[1];
  return code !== undefined && Number(code) !== 0;
}
