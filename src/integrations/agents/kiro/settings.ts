/** Kiro, its editor and its command line: `settings/mcp.json` in a folder `.kiro`. */
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, type Scope, serverEntry } from "../../settings/agent_settings.ts";

export const kiroSettings: AgentSettings = {
  traces: (env, scope) => [folder(env, scope)],
  mcp: (env, scope) => serverEntry(join(folder(env, scope), "settings", "mcp.json"), "mcpServers", { format: "json" }),
};

function folder({ home, vars, project }: AgentEnv, scope: Scope): string {
  return scope === "project" ? join(project, ".kiro") : vars.KIRO_HOME || join(home, ".kiro");
}
