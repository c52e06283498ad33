/** Cline: the file of its command line if that is used, otherwise the one of its extension in VS Code. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, configFolder, serverEntry } from "../../settings/agent_settings.ts";
import { clineHookFiles } from "./hook_files.ts";

export const clineSettings: AgentSettings = {
  userOnly: true,
  traces: (env) => [ownFolder(env), extension(env)],
  mcp: (env) => serverEntry(file(env), "mcpServers", { format: "json" }),
  hooks: clineHookFiles,
};

function file(env: AgentEnv): string {
  if (env.vars.CLINE_MCP_SETTINGS_PATH) return env.vars.CLINE_MCP_SETTINGS_PATH;
  const inside = existsSync(ownFolder(env)) || !existsSync(extension(env)) ? ownFolder(env) : extension(env);
  return join(inside, "settings", "cline_mcp_settings.json");
}

function ownFolder({ home, vars }: AgentEnv): string {
  return join(vars.CLINE_DIR || join(home, ".cline"), "data");
}

function extension(env: AgentEnv): string {
  return join(configFolder(env), "Code", "User", "globalStorage", "saoudrizwan.claude-dev");
}
