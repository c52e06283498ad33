/** Cursor, the editor and its command line agent: `mcp.json` in a folder `.cursor`. */
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, type Scope, serverEntry } from "../../settings/agent_settings.ts";

export const cursorSettings: AgentSettings = {
  traces: (env, scope) => [folder(env, scope)],
  mcp: (env, scope) => serverEntry(join(folder(env, scope), "mcp.json"), "mcpServers"),
  // A prompt accepts no context, so dex installs no hook for it.
  hooks: (env, scope) => ({
    file: join(folder(env, scope), "hooks.json"),
    base: { version: 1 },
    lists: (command) =>
      ["sessionStart", "afterFileEdit", "postToolUse", "preCompact", "sessionEnd"].map((event) => ({
        path: ["hooks", event],
        entry: { command, timeout: HOOK_TIMEOUT_S, ...(event === "postToolUse" ? { matcher: "Shell" } : {}) },
      })),
  }),
};

/** dex ends long before; this is for a machine that hangs. */
const HOOK_TIMEOUT_S = 5;

function folder(env: AgentEnv, scope: Scope): string {
  return join(scope === "project" ? env.project : env.home, ".cursor");
}
