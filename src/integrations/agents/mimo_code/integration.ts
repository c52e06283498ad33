/** MiMo Code, which was made from OpenCode. */
import { join } from "node:path";
import { xdgDataFolder } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const mimoCode: Integration = {
  id: "mimo_code",
  name: "MiMo Code",
  aliases: ["mimo"],
  folders: (env) => mimoFolders(env),
  history: async () => (await import("./history/source.ts")).mimoCodeHistory,
};

export function mimoFolders(env: SourceEnv): string[] {
  return [env.vars.MIMOCODE_HOME ? join(env.vars.MIMOCODE_HOME, "data") : join(xdgDataFolder(env), "mimocode")];
}
