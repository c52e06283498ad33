/** Cursor, the editor and its command line agent: `mcp.json` in a folder `.cursor`. */
import { join } from "node:path";
import { type Agent, type AgentEnv, type Scope, serverEntry } from "./agent.ts";

export const cursor: Agent = {
  id: "cursor",
  name: "Cursor",
  aliases: ["cursor_agent"],
  traces: (env, scope) => [folder(env, scope)],
  mcp: (env, scope) => serverEntry(join(folder(env, scope), "mcp.json"), "mcpServers"),
};

function folder(env: AgentEnv, scope: Scope): string {
  return join(scope === "project" ? env.project : env.home, ".cursor");
}
