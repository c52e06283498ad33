/** Zed: `context_servers` in its settings, which have comments and trailing commas. */
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, serverEntry, xdgConfigFolder } from "../../settings/agent_settings.ts";

export const zedSettings: AgentSettings = {
  traces: (env, scope) => [scope === "project" ? join(env.project, ".zed") : folder(env)],
  mcp: (env, scope) =>
    serverEntry(
      join(scope === "project" ? join(env.project, ".zed") : folder(env), "settings.json"),
      "context_servers",
      { before: { source: "custom" } },
    ),
};

/** On macOS, too, in the folder that Linux uses. */
function folder(env: AgentEnv): string {
  if (env.platform === "win32") return join(env.vars.APPDATA || join(env.home, "AppData", "Roaming"), "Zed");
  return join(xdgConfigFolder(env), "zed");
}
