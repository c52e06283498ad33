/** Claude Code: user servers in `.claude.json`, a project's in `.mcp.json` at its root; hooks in `settings.json`. */
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, type Scope, serverEntry } from "../../settings/agent_settings.ts";
import { groupedList } from "../../settings/hook_entries.ts";

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
    file: settingsFile(env, scope),
    format: "json",
    offBy: [
      {
        files: [
          join(env.project, ".claude", "settings.local.json"),
          settingsFile(env, "project"),
          settingsFile(env, "user"),
        ],
        path: ["disableAllHooks"],
        isOff: (value) => value === true,
      },
    ],
    lists: (command) => [
      groupedList("SessionStart", command, { more: HOOK_TIMEOUT }),
      groupedList("UserPromptSubmit", command, { more: HOOK_TIMEOUT }),
      groupedList("PreToolUse", command, { matcher: "Bash|Edit|MultiEdit|Write|NotebookEdit", more: HOOK_TIMEOUT }),
      groupedList("PostToolUse", command, { matcher: "Read|Edit|MultiEdit|Write|NotebookEdit", more: HOOK_TIMEOUT }),
      groupedList("SessionEnd", command, { more: HOOK_TIMEOUT }),
    ],
  }),
  statusLine: (env, scope) => ({ file: settingsFile(env, scope), path: ["statusLine"], format: "json" }),
};

/** Seconds. dex ends long before; this is for a machine that hangs. */
const HOOK_TIMEOUT = { timeout: 5 };

function settingsFile({ home, vars, project }: AgentEnv, scope: Scope): string {
  const own = vars.CLAUDE_CONFIG_DIR || join(home, ".claude");
  return join(scope === "project" ? join(project, ".claude") : own, "settings.json");
}

/** Next to the folder `.claude`, but inside a folder that the environment names. */
function userFile({ home, vars }: AgentEnv): string {
  return join(vars.CLAUDE_CONFIG_DIR || home, ".claude.json");
}
