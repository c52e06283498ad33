/** Zed's agent. */
import { join } from "node:path";
import { localDataFolder } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const zed: Integration = {
  id: "zed",
  name: "Zed",
  aliases: [],
  folders: (env) => zedDatabases(env),
  history: async () => (await import("./history/source.ts")).zedHistory,
  settings: async () => (await import("./settings.ts")).zedSettings,
};

/** All channels share a database; the Flatpak package has one of its own. */
export function zedDatabases(env: SourceEnv): string[] {
  const name = env.platform === "linux" ? "zed" : "Zed";
  const data = env.vars.FLATPAK_XDG_DATA_HOME || localDataFolder(env);
  const flatpak = join(env.home, ".var", "app", "dev.zed.Zed", "data", "zed");
  const folders = [join(data, name), ...(env.platform === "linux" ? [flatpak] : [])];
  return folders.map((folder) => join(folder, "threads", "threads.db"));
}
