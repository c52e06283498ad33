/** Crush: `crush.json`, or in a project `.crush.json` if that exists. A hook of it may forbid a call but comes with no prompt. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type AgentEnv,
  type AgentSettings,
  type Scope,
  serverEntry,
  xdgConfigFolder,
} from "../../settings/agent_settings.ts";

export const crushSettings: AgentSettings = {
  traces: (env, scope) =>
    scope === "project" ? [...projectFiles(env), join(env.project, ".crush")] : [folder(env), dataFolder(env)],
  mcp: (env, scope) => serverEntry(file(env, scope), "mcp", { before: { type: "stdio" }, format: "json" }),
};

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
