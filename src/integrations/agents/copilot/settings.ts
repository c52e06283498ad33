/**
 * Copilot CLI: `mcp-config.json` in its own folder. Of the two files it reads in a project, `.github/mcp.json` is its
 * own; `.mcp.json` is Claude Code's, and one entry there serves both. It reads every file in a folder `hooks`, so dex has
 * one of its own there.
 */
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, serverEntry } from "../../settings/agent_settings.ts";
import { copilotFolder, copilotHookSettings } from "../../settings/copilot_hooks.ts";

export const copilotSettings: AgentSettings = {
  traces: (env, scope) => [scope === "project" ? projectFile(env) : copilotFolder(env)],
  mcp: (env, scope) =>
    serverEntry(scope === "project" ? projectFile(env) : join(copilotFolder(env), "mcp-config.json"), "mcpServers", {
      before: { type: "local" },
      after: { tools: ["*"] },
    }),
  hooks: (env, scope) => copilotHookSettings(env, scope),
  statusLine: (env, scope) =>
    scope === "project" ? undefined : { file: join(copilotFolder(env), "settings.json"), path: ["statusLine"] },
};

function projectFile({ project }: AgentEnv): string {
  return join(project, ".github", "mcp.json");
}
