/**
 * The contract of an agent that dex can be connected to: where its settings are, and what an entry there looks like.
 */
import { existsSync } from "node:fs";
import type { JsonObject } from "../../kernel/json.ts";
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
  /** `jsonc`: the agent itself reads comments and trailing commas. `json`: the agent rejects a file with them. */
  format: "json" | "jsonc" | "toml";
  /** The keys that lead to the entry. It may depend on the file's current content. */
  path(read: (path: readonly string[]) => unknown): readonly string[];
  value(launch: readonly string[]): JsonObject;
}

export interface AgentSettings {
  /** Files or folders that exist where the agent is used. */
  traces(env: AgentEnv, scope: Scope): string[];
  /** Its list of MCP servers. */
  mcp(env: AgentEnv, scope: Scope): ConfigEntry;
  /** Where its hooks are, if it runs any that dex answers. */
  hooks?(env: AgentEnv, scope: Scope): HookSettings | HookFile;
  /** Where the command of its status line is set, if it has one; undefined if not in this scope. */
  statusLine?(env: AgentEnv, scope: Scope): { file: string; path: readonly string[] } | undefined;
}

/** The settings with the names that plans and reports use for the agent. */
export interface ConnectableAgent {
  id: string;
  name: string;
  /** The word after `dex hook`. */
  hookName: string;
  settings: AgentSettings;
}

/** Whether the agent is used here. */
export function isFound({ settings }: ConnectableAgent, env: AgentEnv, scope: Scope): boolean {
  return settings.traces(env, scope).some((path) => existsSync(path));
}

export const ENTRY_NAME = "dex";

/** The shape that most agents share: a command and its arguments under a server's name. */
export function serverEntry(
  file: string,
  container: string,
  extra: { before?: JsonObject; after?: JsonObject; format?: "json" | "jsonc" } = {},
): ConfigEntry {
  return {
    file,
    format: extra.format ?? "jsonc",
    path: () => [container, ENTRY_NAME],
    value: ([command = "", ...args]) => ({ ...extra.before, command, args, ...extra.after }),
  };
}
