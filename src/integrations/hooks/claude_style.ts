/**
 * Claude Code's shape of hook events and answers, which other agents adopted entirely or in part. A subagent sends the
 * session's id and an id of its own: it has its own context, so dex tracks its delivered facts separately.
 */
import { asArray, asObject, type JsonObject } from "../../kernel/json.ts";
import { filesOf, folderOf, type HookEvent, idOf, promptOf, sourceOf } from "./hook_host.ts";
import { beforeTool } from "./tool_events.ts";

const MAX_BATCHED_CALLS = 50;

export function readClaudeStyleEvent(input: JsonObject): HookEvent | undefined {
  const name = String(input.hook_event_name);
  const session = idOf(input.session_id);
  const agent = idOf(input.agent_id);
  const whose = session !== undefined && agent !== undefined ? `${session}/${agent}` : session;
  const common = { name, session: whose, folder: folderOf(input.cwd) };
  switch (name) {
    case "SessionStart": {
      const parent = idOf(input.parent_session_id);
      return { ...common, kind: "start", source: sourceOf(input.source), ...(parent === undefined ? {} : { parent }) };
    }
    case "UserPromptSubmit":
      return { ...common, kind: "prompt", prompt: promptOf(input.prompt) };
    case "PreToolUse":
      return beforeTool(common, input.tool_name, input.tool_input);
    case "PostToolUse":
      return { ...common, kind: "files", files: filesOf(input.tool_name, input.tool_input) };
    case "PostToolBatch": {
      const calls = asArray(input.tool_calls).slice(0, MAX_BATCHED_CALLS).map(asObject);
      return { ...common, kind: "files", files: calls.flatMap((call) => filesOf(call.tool_name, call.tool_input)) };
    }
    case "SessionEnd":
      return { ...common, kind: "end" };
    case "PreCompact":
    case "PostCompact":
      return { ...common, kind: "compacted" };
    default:
      return undefined;
  }
}

/** Only `additionalContext` reaches the model. */
export function additionalContext(event: HookEvent, text: string): JsonObject {
  return { hookSpecificOutput: { hookEventName: event.name, additionalContext: text } };
}
