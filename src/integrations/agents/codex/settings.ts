/** Codex: TOML tables `[mcp_servers.<name>]`; a project's file is read only where the project is trusted. */
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, ENTRY_NAME, type Scope } from "../../settings/agent_settings.ts";
import { groupedList } from "../../settings/hook_entries.ts";

export const codexSettings: AgentSettings = {
  traces: (env, scope) => [folder(env, scope)],
  mcp: (env, scope) => ({
    file: join(folder(env, scope), "config.toml"),
    format: "toml",
    path: () => ["mcp_servers", ENTRY_NAME],
    value: ([command = "", ...args]) => ({ command, args, ...historyVariables(env) }),
  }),
  hooks: (env, scope) => ({
    file: join(folder(env, scope), "hooks.json"),
    format: "json",
    offBy: [
      {
        files: [join(folder(env, "project"), "config.toml"), join(folder(env, "user"), "config.toml")],
        path: ["features", "hooks"],
        isOff: (value) => value === false,
      },
    ],
    lists: (command) => [
      groupedList("SessionStart", command, { more: HOOK_TIMEOUT }),
      groupedList("UserPromptSubmit", command, { more: HOOK_TIMEOUT }),
      groupedList("PreToolUse", command, { matcher: "Bash|apply_patch", more: HOOK_TIMEOUT }),
      groupedList("PostToolUse", command, { matcher: "Bash|apply_patch", more: HOOK_TIMEOUT }),
      groupedList("SessionEnd", command, { more: END_TIMEOUT }),
    ],
    note: "Codex runs them once you trust them: type /hooks in Codex",
  }),
};

/** Seconds. dex ends long before; this is for a machine that hangs. */
const HOOK_TIMEOUT = { timeout: 5 };
/** The most that Codex allows; beyond it Codex warns at every start. */
const END_TIMEOUT = { timeout: 3 };

/** Codex passes hardly any variables to its servers: dex writes those that locate histories into the entry. */
const PLACES = ["DEX_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] as const;

function historyVariables({ vars }: AgentEnv): { env?: Record<string, string> } {
  const env: Record<string, string> = {};
  for (const name of PLACES) {
    const value = vars[name];
    if (value) env[name] = value;
  }
  return Object.keys(env).length > 0 ? { env } : {};
}

function folder(env: AgentEnv, scope: Scope): string {
  if (scope === "project") return join(env.project, ".codex");
  return env.vars.CODEX_HOME || join(env.home, ".codex");
}
