/** Crush. */
import { join } from "node:path";
import { localDataFolder, xdgDataFolder } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const crush: Integration = {
  id: "crush",
  name: "Crush",
  aliases: [],
  folders: (env) => [crushProjects(env), ...env.roots.map((root) => join(root, ".crush"))],
  history: async () => (await import("./history/source.ts")).crushHistory,
  settings: async () => (await import("./settings.ts")).crushSettings,
  hooks: async () => (await import("./hooks.ts")).crushHooks,
};

/** The list of projects in which Crush was used. */
export function crushProjects(env: SourceEnv): string {
  const data = env.platform === "win32" ? localDataFolder(env) : xdgDataFolder(env);
  return join(env.vars.CRUSH_GLOBAL_DATA || join(data, "crush"), "projects.json");
}
