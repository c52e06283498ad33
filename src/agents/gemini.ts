/** Gemini CLI: `settings.json` in a folder `.gemini`, among all its other settings. */
import { join } from "node:path";
import { type Agent, type AgentEnv, type Scope, serverEntry } from "./agent.ts";

export const gemini: Agent = {
  id: "gemini",
  name: "Gemini CLI",
  aliases: ["gemini_cli"],
  traces: (env, scope) => [folder(env, scope)],
  mcp: (env, scope) => serverEntry(join(folder(env, scope), "settings.json"), "mcpServers"),
};

function folder({ home, vars, project }: AgentEnv, scope: Scope): string {
  return join(scope === "project" ? project : vars.GEMINI_CLI_HOME || home, ".gemini");
}
