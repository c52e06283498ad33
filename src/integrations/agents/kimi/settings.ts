/** Kimi Code: `mcp.json` in its home or in a folder `.kimi-code` of the project. The older Kimi CLI is not connected. */
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, type Scope, serverEntry } from "../../settings/agent_settings.ts";

export const kimiSettings: AgentSettings = {
  traces: (env, scope) => [folder(env, scope)],
  mcp: (env, scope) => serverEntry(join(folder(env, scope), "mcp.json"), "mcpServers", { format: "json" }),
};

function folder({ home, vars, project }: AgentEnv, scope: Scope): string {
  return scope === "project" ? join(project, ".kimi-code") : vars.KIMI_CODE_HOME || join(home, ".kimi-code");
}
