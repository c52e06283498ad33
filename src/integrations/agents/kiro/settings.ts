/**
 * Kiro, its editor and its command line: `settings/mcp.json` in a folder `.kiro`. It reads every file in a folder `hooks`,
 * so dex has one of its own there, with one list for all events.
 */
import { join } from "node:path";
import {
  type AgentEnv,
  type AgentSettings,
  ENTRY_NAME,
  type Scope,
  serverEntry,
} from "../../settings/agent_settings.ts";

export const kiroSettings: AgentSettings = {
  traces: (env, scope) => [folder(env, scope)],
  mcp: (env, scope) => serverEntry(join(folder(env, scope), "settings", "mcp.json"), "mcpServers", { format: "json" }),
  hooks: (env, scope) => ({
    file: join(folder(env, scope), "hooks", `${ENTRY_NAME}.json`),
    format: "json",
    base: { version: "v1" },
    lists: (command) =>
      HOOK_EVENTS.map((trigger) => ({
        path: ["hooks"],
        event: { field: "trigger", name: trigger },
        entry: {
          name: `${ENTRY_NAME}-${trigger}`,
          trigger,
          action: { type: "command", command },
          timeout: HOOK_TIMEOUT_S,
        },
      })),
    note: "Kiro reads this file since version 1.0 of its editor and 3.0 of its command line",
  }),
};

/** `Stop` ends a turn, not a session: dex then reads the conversation, but not more often than every 20 seconds. */
const HOOK_EVENTS = ["SessionStart", "UserPromptSubmit", "Stop"];
/** dex ends long before; this is for a machine that hangs. */
const HOOK_TIMEOUT_S = 5;

function folder({ home, vars, project }: AgentEnv, scope: Scope): string {
  return scope === "project" ? join(project, ".kiro") : vars.KIRO_HOME || join(home, ".kiro");
}
