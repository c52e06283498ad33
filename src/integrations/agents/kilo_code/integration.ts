/** Kilo Code, which was made from OpenCode. */
import { join } from "node:path";
import { xdgDataFolder } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const kiloCode: Integration = {
  id: "kilo_code",
  name: "Kilo Code",
  aliases: ["kilo"],
  folders: (env) => kiloFolders(env),
  history: async () => (await import("./history/source.ts")).kiloCodeHistory,
};

export function kiloFolders(env: SourceEnv): string[] {
  return [join(xdgDataFolder(env), "kilo")];
}
