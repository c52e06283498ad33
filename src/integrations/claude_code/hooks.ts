/**
 * Claude Code. Only what is in `additionalContext` reaches the model; after a compaction its sessions start again with
 * the source `compact`. A subagent has the session's id and a context of its own.
 */
import { asArray, asObject, type JsonObject } from "../../kernel/json.ts";
import {
  filesOf,
  folderOf,
  type HookEvent,
  type Host,
  hookSpecific,
  idOf,
  promptOf,
  sourceOf,
} from "../hooks/hook_host.ts";

export const claude: Host = {
  id: "claude",
  read: (input) => readClaude(input),
  answer: hookSpecific,
};

/** Codex sends the same, with a few fields more. */
export function readClaude(input: JsonObject): HookEvent | undefined {
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
    case "PostToolUse":
      return { ...common, kind: "files", files: filesOf(input.tool_name, input.tool_input) };
    case "PostToolBatch": {
      const calls = asArray(input.tool_calls).slice(0, 50).map(asObject);
      return { ...common, kind: "files", files: calls.flatMap((call) => filesOf(call.tool_name, call.tool_input)) };
    }
    case "PreCompact":
    case "PostCompact":
      return { ...common, kind: "compacted" };
    default:
      return undefined;
  }
}
