/** Auggie: servers and hooks in `settings.json` of a folder `.augment`; hooks are like Claude Code's. */
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, type Scope, serverEntry } from "../../settings/agent_settings.ts";
import { groupedList } from "../../settings/hook_entries.ts";

export const auggieSettings: AgentSettings = {
  traces: (env, scope) => [folder(env, scope)],
  mcp: (env, scope) => serverEntry(file(env, scope), "mcpServers", { before: { type: "stdio" }, format: "json" }),
  hooks: (env, scope) => ({
    file: file(env, scope),
    format: "json",
    lists: (command) => [
      groupedList("SessionStart", command, { more: HOOK_OPTIONS }),
      groupedList("PostToolUse", command, { matcher: TOOLS, more: HOOK_OPTIONS }),
      groupedList("SessionEnd", command, { more: HOOK_OPTIONS }),
    ],
  }),
};

const TOOLS = "view|str-replace-editor|save-file|apply_patch|launch-process";
/** Milliseconds. dex ends long before; this is for a machine that hangs. */
const HOOK_OPTIONS = { timeout: 5000 };

function file(env: AgentEnv, scope: Scope): string {
  return join(folder(env, scope), "settings.json");
}

function folder({ home, project }: AgentEnv, scope: Scope): string {
  return join(scope === "project" ? project : home, ".augment");
}
