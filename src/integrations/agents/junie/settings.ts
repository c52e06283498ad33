/** Junie, the agent of JetBrains: `mcp/mcp.json` in a folder `.junie`. */
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, type Scope, serverEntry } from "../../settings/agent_settings.ts";

export const junieSettings: AgentSettings = {
  traces: (env, scope) => [folder(env, scope)],
  mcp: (env, scope) => serverEntry(join(folder(env, scope), "mcp", "mcp.json"), "mcpServers", { format: "json" }),
};

function folder({ home, vars, project }: AgentEnv, scope: Scope): string {
  return scope === "project" ? join(project, ".junie") : vars.JUNIE_HOME || join(home, ".junie");
}
