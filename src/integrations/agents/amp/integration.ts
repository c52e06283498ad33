/** Amp. */
import { join } from "node:path";
import { xdgDataFolder } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const amp: Integration = {
  id: "amp",
  name: "Amp",
  aliases: [],
  folders: (env) => [ampThreads(env)],
  history: async () => (await import("./history/source.ts")).ampHistory,
  settings: async () => (await import("./settings.ts")).ampSettings,
};

export function ampThreads(env: SourceEnv): string {
  return join(env.vars.AMP_DATA_HOME || join(xdgDataFolder(env), "amp"), "threads");
}
