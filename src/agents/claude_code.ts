/** Claude Code: user servers in `.claude.json`, a project's in `.mcp.json` at its root. */
import { join } from "node:path";
import { type Agent, type AgentEnv, serverEntry } from "./agent.ts";

export const claudeCode: Agent = {
  id: "claude_code",
  name: "Claude Code",
  aliases: ["claude"],
  traces: (env, scope) =>
    scope === "project"
      ? [join(env.project, ".mcp.json"), join(env.project, ".claude")]
      : [userFile(env), env.vars.CLAUDE_CONFIG_DIR || join(env.home, ".claude")],
  mcp: (env, scope) =>
    serverEntry(scope === "project" ? join(env.project, ".mcp.json") : userFile(env), "mcpServers", {
      before: { type: "stdio" },
    }),
};

/** Beside the folder `.claude`, but inside a folder that the environment names. */
function userFile({ home, vars }: AgentEnv): string {
  return join(vars.CLAUDE_CONFIG_DIR || home, ".claude.json");
}
