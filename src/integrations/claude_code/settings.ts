/** Claude Code: user servers in `.claude.json`, a project's in `.mcp.json` at its root; hooks in `settings.json`. */
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, serverEntry } from "../settings/agent_settings.ts";
import { groupedList } from "../settings/hook_entries.ts";

export const claudeCodeSettings: AgentSettings = {
  traces: (env, scope) =>
    scope === "project"
      ? [join(env.project, ".mcp.json"), join(env.project, ".claude")]
      : [userFile(env), env.vars.CLAUDE_CONFIG_DIR || join(env.home, ".claude")],
  mcp: (env, scope) =>
    serverEntry(scope === "project" ? join(env.project, ".mcp.json") : userFile(env), "mcpServers", {
      before: { type: "stdio" },
      format: "json",
    }),
  hooks: (env, scope) => ({
    file: scope === "project" ? join(env.project, ".claude", "settings.json") : userSettings(env),
    format: "json",
    offBy: [
      {
        files: [
          join(env.project, ".claude", "settings.local.json"),
          join(env.project, ".claude", "settings.json"),
          userSettings(env),
        ],
        path: ["disableAllHooks"],
        isOff: (value) => value === true,
      },
    ],
    lists: (command) => [
      groupedList("SessionStart", command, { more: HOOK_TIMEOUT }),
      groupedList("UserPromptSubmit", command, { more: HOOK_TIMEOUT }),
      groupedList("PostToolUse", command, { matcher: "Read|Edit|MultiEdit|Write|NotebookEdit", more: HOOK_TIMEOUT }),
    ],
  }),
};

/** Seconds. dex ends long before; this is for a machine that hangs. */
const HOOK_TIMEOUT = { timeout: 5 };

function userSettings({ home, vars }: AgentEnv): string {
  return join(vars.CLAUDE_CONFIG_DIR || join(home, ".claude"), "settings.json");
}

/** Next to the folder `.claude`, but inside a folder that the environment names. */
function userFile({ home, vars }: AgentEnv): string {
  return join(vars.CLAUDE_CONFIG_DIR || home, ".claude.json");
}
