/**
 * The contract of an agent that dex can be connected to: where its settings are, and what an entry there looks like.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../kernel/json.ts";
import type { JsonFormat } from "./editing/jsonc.ts";
import type { HookFile, HookSettings } from "./hook_entries.ts";

/** `user`: all projects of this user. `project`: the files of one project, which may be shared. */
export type Scope = "user" | "project";

export interface AgentEnv {
  home: string;
  vars: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** The folder that project files are written to. */
  project: string;
}

/** One change that dex makes in one file of an agent. */
export interface ConfigEntry {
  file: string;
  format: JsonFormat | "toml" | "yaml";
  /** The keys that lead to the entry. It may depend on the file's current content. */
  path(read: (path: readonly string[]) => unknown): readonly string[];
  value(launch: readonly string[], name: string): JsonObject;
}

export interface AgentSettings {
  /** Files or folders that exist where the agent is used. */
  traces(env: AgentEnv, scope: Scope): string[];
  /** It has no settings of a single project. */
  userOnly?: true;
  /** Its list of MCP servers. */
  mcp(env: AgentEnv, scope: Scope): ConfigEntry;
  /** Where its hooks are, if it runs any that dex answers; several files if it wants one for each event. */
  hooks?(env: AgentEnv, scope: Scope): HookSettings | HookFile | readonly HookFile[];
  /** The file of its hooks is also that of another agent, so hooks in it do not mean that this agent is used. */
  sharesHooks?: true;
  /** Where the command of its status line is set, if it has one; undefined if not in this scope. */
  statusLine?(env: AgentEnv, scope: Scope): { file: string; path: readonly string[]; format?: JsonFormat } | undefined;
}

/** The settings with the names that plans and reports use for the agent. */
export interface ConnectableAgent {
  id: string;
  name: string;
  /** The word after `dex hook`. */
  hookName: string;
  settings: AgentSettings;
}

export function hookPlaces({ settings }: ConnectableAgent, env: AgentEnv, scope: Scope): (HookSettings | HookFile)[] {
  return [settings.hooks?.(env, scope) ?? []].flat();
}

/** Whether the agent is used here. */
export function isFound({ settings }: ConnectableAgent, env: AgentEnv, scope: Scope): boolean {
  return settings.traces(env, scope).some((path) => existsSync(path));
}

export function hasScope({ settings }: ConnectableAgent, scope: Scope): boolean {
  return scope === "user" || settings.userOnly !== true;
}

/** Where programs keep their settings on this system. */
export function configFolder({ home, vars, platform }: AgentEnv): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return vars.APPDATA || join(home, "AppData", "Roaming");
  return xdgConfigFolder({ home, vars });
}

/** For programs that follow the XDG directories on macOS, too. */
export function xdgConfigFolder({ home, vars }: Pick<AgentEnv, "home" | "vars">): string {
  return vars.XDG_CONFIG_HOME || join(home, ".config");
}

export const ENTRY_NAME = "dex";
/** Where another program's entry or file has that name. */
export const SECOND_NAME = "dex-context";

/** The shape that most agents share: a command and its arguments under a server's name. */
export function serverEntry(
  file: string,
  container: string,
  extra: { before?: JsonObject; after?: JsonObject; format?: JsonFormat } = {},
): ConfigEntry {
  return {
    file,
    format: extra.format ?? "jsonc",
    path: () => [container, ENTRY_NAME],
    value: ([command = "", ...args]) => ({ ...extra.before, command, args, ...extra.after }),
  };
}
