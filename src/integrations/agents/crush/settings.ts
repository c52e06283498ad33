/**
 * Crush: `crush.json`, or in a project `.crush.json` if that exists. It rejects a file with an event that it does not
 * know, so dex names only the one that every version has.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type AgentEnv,
  type AgentSettings,
  ENTRY_NAME,
  type Scope,
  serverEntry,
  xdgConfigFolder,
} from "../../settings/agent_settings.ts";

export const crushSettings: AgentSettings = {
  traces: (env, scope) =>
    scope === "project" ? [...projectFiles(env), join(env.project, ".crush")] : [folder(env), dataFolder(env)],
  mcp: (env, scope) => serverEntry(file(env, scope), "mcp", { before: { type: "stdio" }, format: "json" }),
  hooks: (env, scope) => ({
    file: file(env, scope),
    format: "json",
    lists: (command) => [
      {
        path: ["hooks", "PreToolUse"],
        entry: { name: ENTRY_NAME, matcher: "^(view|edit|multiedit|write|bash)$", command, timeout: HOOK_TIMEOUT_S },
      },
    ],
  }),
};

/** dex ends long before; this is for a machine that hangs. */
const HOOK_TIMEOUT_S = 5;

function file(env: AgentEnv, scope: Scope): string {
  if (scope === "user") return join(folder(env), "crush.json");
  const [visible = "", hidden = ""] = projectFiles(env);
  return existsSync(hidden) ? hidden : visible;
}

function projectFiles({ project }: AgentEnv): string[] {
  return ["crush.json", ".crush.json"].map((name) => join(project, name));
}

function folder(env: AgentEnv): string {
  if (env.vars.CRUSH_GLOBAL_CONFIG) return env.vars.CRUSH_GLOBAL_CONFIG;
  if (env.platform === "win32") return join(env.vars.LOCALAPPDATA || join(env.home, "AppData", "Local"), "crush");
  return join(xdgConfigFolder(env), "crush");
}

function dataFolder({ home, vars }: AgentEnv): string {
  return vars.CRUSH_GLOBAL_DATA || join(vars.XDG_DATA_HOME || join(home, ".local", "share"), "crush");
}
