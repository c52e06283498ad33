/**
 * OpenCode: one array has the command and its arguments. Version 1 keeps servers under `mcp`, version 2 under
 * `mcp.servers` and still reads the older key: a file keeps the shape it has.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../../kernel/json.ts";
import {
  type AgentEnv,
  type AgentSettings,
  ENTRY_NAME,
  type Scope,
  SECOND_NAME,
} from "../../settings/agent_settings.ts";
import { isCurrentPlugin, isOwnPlugin, opencodePlugin } from "./plugin.ts";

export const opencodeSettings: AgentSettings = {
  traces: (env, scope) =>
    scope === "project"
      ? [...files(env.project), join(env.project, ".opencode")]
      : [folder(env), join(env.vars.XDG_DATA_HOME || join(env.home, ".local", "share"), "opencode")],
  mcp: (env, scope) => ({
    file: configFile(env, scope),
    format: "jsonc",
    path: (read) => {
      const servers = read(["mcp", "servers"]);
      // A server may itself be called `servers`.
      const nested = isObject(servers) && servers.command === undefined && servers.url === undefined;
      return nested ? ["mcp", "servers", ENTRY_NAME] : ["mcp", ENTRY_NAME];
    },
    value: (launch) => ({ type: "local", command: [...launch], enabled: true }),
  }),
  hooks: (env, scope) => ({
    file: pluginFile(join(scope === "project" ? join(env.project, ".opencode") : folder(env), "plugins")),
    text: opencodePlugin,
    isOurs: isOwnPlugin,
    isCurrent: isCurrentPlugin,
  }),
};

/** dex's own; otherwise the first whose name is free. */
function pluginFile(inside: string): string {
  const [first = "", ...more] = [ENTRY_NAME, SECOND_NAME].map((name) => join(inside, `${name}.js`));
  const files = [first, ...more];
  return files.find(isOwnFile) ?? files.find((file) => !existsSync(file)) ?? first;
}

function isOwnFile(file: string): boolean {
  try {
    return isOwnPlugin(readFileSync(file, "utf8"));
  } catch {
    return false;
  }
}

function folder({ home, vars }: AgentEnv): string {
  return join(vars.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
}

function files(inside: string): string[] {
  return ["opencode.json", "opencode.jsonc"].map((name) => join(inside, name));
}

/** The file that exists; of two, the one to which OpenCode gives precedence. */
function configFile(env: AgentEnv, scope: Scope): string {
  const [plain = "", commented = ""] = files(scope === "project" ? env.project : folder(env));
  return existsSync(commented) ? commented : plain;
}
