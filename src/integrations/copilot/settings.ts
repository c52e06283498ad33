/**
 * Copilot CLI: `mcp-config.json` in its own folder. Of the two files it reads in a project, `.github/mcp.json` is its
 * own; `.mcp.json` is Claude Code's, and one entry there serves both.
 */
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, serverEntry } from "../settings/agent_settings.ts";

export const copilotSettings: AgentSettings = {
  traces: (env, scope) => [scope === "project" ? projectFile(env) : folder(env)],
  mcp: (env, scope) =>
    serverEntry(scope === "project" ? projectFile(env) : join(folder(env), "mcp-config.json"), "mcpServers", {
      before: { type: "local" },
      after: { tools: ["*"] },
    }),
};

function folder({ home, vars }: AgentEnv): string {
  return vars.COPILOT_HOME || join(home, ".copilot");
}

function projectFile({ project }: AgentEnv): string {
  return join(project, ".github", "mcp.json");
}
