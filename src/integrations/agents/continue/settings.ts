/** Continue: it reads every file in a folder `mcpServers`, so dex has one of its own there. */
import { join } from "node:path";
import {
  type AgentEnv,
  type AgentSettings,
  ENTRY_NAME,
  type Scope,
  serverEntry,
} from "../../settings/agent_settings.ts";

export const continueSettings: AgentSettings = {
  traces: (env, scope) => [folder(env, scope)],
  mcp: (env, scope) =>
    serverEntry(join(folder(env, scope), "mcpServers", `${ENTRY_NAME}.json`), "mcpServers", { format: "json" }),
};

function folder({ home, vars, project }: AgentEnv, scope: Scope): string {
  return scope === "project" ? join(project, ".continue") : vars.CONTINUE_GLOBAL_DIR || join(home, ".continue");
}
