/** Kiro: its command line and its editor. */
import { join } from "node:path";
import { configFolder, localDataFolder } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const kiro: Integration = {
  id: "kiro",
  name: "Kiro",
  aliases: ["kiro_cli"],
  folders: (env) => [kiroSessions(env), kiroDatabase(env), ...kiroEditorStorages(env)],
  history: async () => (await import("./history/source.ts")).kiroHistory,
  settings: async () => (await import("./settings.ts")).kiroSettings,
  hooks: async () => (await import("./hooks.ts")).kiroHooks,
  readsAllOutput: true,
};

/** `cli` has the sessions of the command line; the other folders, one per workspace, have those of the editor. */
export function kiroSessions({ home, vars }: SourceEnv): string {
  return join(vars.KIRO_HOME || join(home, ".kiro"), "sessions");
}

export function kiroDatabase(env: SourceEnv): string {
  return join(localDataFolder(env), "kiro-cli", "data.sqlite3");
}

/** Where the editor kept sessions before its version 1, on this machine and on one that is used remotely. */
export function kiroEditorStorages(env: SourceEnv): string[] {
  const users = [join(configFolder(env), "Kiro", "User"), join(env.home, ".kiro-server", "data", "User")];
  return users.map((user) => join(user, "globalStorage", "kiro.kiroagent"));
}
