/**
 * VS Code: `mcp.json` of the default profile, or in a workspace's folder `.vscode`; servers are under `servers`. It shares
 * the file of hooks with Copilot CLI: as an agent of VS Code that one runs them like on its own, and VS Code's own agent
 * takes context with a prompt under a name that means nothing there.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, configFolder, serverEntry } from "../../settings/agent_settings.ts";
import { copilotHookSettings } from "../../settings/copilot_hooks.ts";

export const vscodeSettings: AgentSettings = {
  traces: (env, scope) => [scope === "project" ? join(env.project, ".vscode") : userFolder(env)],
  mcp: (env, scope) =>
    serverEntry(
      scope === "project" ? join(env.project, ".vscode", "mcp.json") : join(userFolder(env), "mcp.json"),
      "servers",
      { before: { type: "stdio" } },
    ),
  sharesHooks: true,
  hooks: (env, scope) => copilotHookSettings(env, scope, ["userPromptSubmitted", "agentStop"]),
};

/** The folder of the released program, or of the Insiders build if only that exists. */
function userFolder(env: AgentEnv): string {
  const [released = "", insiders = ""] = ["Code", "Code - Insiders"].map((name) =>
    join(configFolder(env), name, "User"),
  );
  return !existsSync(released) && existsSync(insiders) ? insiders : released;
}
