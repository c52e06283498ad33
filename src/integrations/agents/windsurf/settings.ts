/** Windsurf, now Devin Desktop: one file for all projects. A hook of its agent may forbid a step but adds no context. */
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, serverEntry } from "../../settings/agent_settings.ts";

export const windsurfSettings: AgentSettings = {
  userOnly: true,
  traces: (env) => [folder(env)],
  mcp: (env) => serverEntry(join(folder(env), "mcp_config.json"), "mcpServers", { format: "json" }),
};

function folder({ home }: AgentEnv): string {
  return join(home, ".codeium", "windsurf");
}
