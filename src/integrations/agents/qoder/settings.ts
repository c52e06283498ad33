/**
 * Qoder's command line: servers and hooks in `settings.json` in a folder `.qoder`; a project's servers in `.mcp.json`,
 * which is also Claude Code's.
 */
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, type Scope, serverEntry } from "../../settings/agent_settings.ts";
import { groupedList } from "../../settings/hook_entries.ts";

export const qoderSettings: AgentSettings = {
  traces: (env, scope) => [folder(env, scope)],
  mcp: (env, scope) =>
    serverEntry(scope === "project" ? join(env.project, ".mcp.json") : settingsFile(env, scope), "mcpServers", {
      before: { type: "stdio" },
    }),
  hooks: (env, scope) => ({
    file: settingsFile(env, scope),
    offBy: [
      {
        files: [
          join(folder(env, "project"), "settings.local.json"),
          settingsFile(env, "project"),
          settingsFile(env, "user"),
        ],
        path: ["disableAllHooks"],
        isOff: (value) => value === true,
      },
    ],
    lists: (command) => [
      groupedList("SessionStart", command, { more: HOOK_OPTIONS }),
      groupedList("UserPromptSubmit", command, { more: HOOK_OPTIONS }),
      groupedList("PreToolUse", command, { matcher: "Bash|Edit|MultiEdit|Write|NotebookEdit", more: HOOK_OPTIONS }),
      groupedList("PostToolUse", command, { matcher: "Read|Edit|MultiEdit|Write|NotebookEdit", more: HOOK_OPTIONS }),
      groupedList("PostCompact", command, { more: HOOK_OPTIONS }),
      groupedList("SessionEnd", command, { more: HOOK_OPTIONS }),
    ],
  }),
};

/** Seconds. dex ends long before; this is for a machine that hangs. */
const HOOK_OPTIONS = { timeout: 5 };

function settingsFile(env: AgentEnv, scope: Scope): string {
  return join(folder(env, scope), "settings.json");
}

function folder({ home, vars, project }: AgentEnv, scope: Scope): string {
  return scope === "project" ? join(project, ".qoder") : vars.QODER_CONFIG_DIR || join(home, ".qoder");
}
