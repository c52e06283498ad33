/** Amp: the setting `amp.mcpServers`, whose name contains the dot. A project's servers need the user's consent. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type AgentEnv,
  type AgentSettings,
  type Scope,
  serverEntry,
  xdgConfigFolder,
} from "../../settings/agent_settings.ts";

export const ampSettings: AgentSettings = {
  traces: (env, scope) => [folder(env, scope), ...(scope === "user" ? [dataFolder(env)] : [])],
  mcp: (env, scope) => serverEntry(file(env, scope), "amp.mcpServers"),
};

/** The file that exists. */
function file(env: AgentEnv, scope: Scope): string {
  const [plain = "", commented = ""] = ["settings.json", "settings.jsonc"].map((name) =>
    join(folder(env, scope), name),
  );
  return !existsSync(plain) && existsSync(commented) ? commented : plain;
}

function folder(env: AgentEnv, scope: Scope): string {
  if (scope === "project") return join(env.project, ".amp");
  return env.platform === "win32" ? join(env.home, ".config", "amp") : join(xdgConfigFolder(env), "amp");
}

function dataFolder({ home, vars }: AgentEnv): string {
  return vars.AMP_DATA_HOME || join(vars.XDG_DATA_HOME || join(home, ".local", "share"), "amp");
}
