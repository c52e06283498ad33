/** Deep Agents: `.mcp.json` in its own folder, and in a folder `.deepagents` of a project, whose servers the user approves. */
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, type Scope, serverEntry } from "../../settings/agent_settings.ts";
import { deepAgentsHome } from "./integration.ts";

export const deepAgentsSettings: AgentSettings = {
  traces: (env, scope) => [folder(env, scope)],
  mcp: (env, scope) => serverEntry(join(folder(env, scope), ".mcp.json"), "mcpServers", { format: "json" }),
};

function folder(env: AgentEnv, scope: Scope): string {
  return scope === "project" ? join(env.project, ".deepagents") : deepAgentsHome(env);
}
