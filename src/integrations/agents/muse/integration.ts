/** Muse Code. */
import { join } from "node:path";
import { xdgDataFolder } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const muse: Integration = {
  id: "muse",
  name: "Muse Code",
  aliases: ["muse_code"],
  folders: (env) => [museSessions(env)],
  history: async () => (await import("./history/source.ts")).museHistory,
};

export function museSessions(env: SourceEnv): string {
  return join(xdgDataFolder(env), "muse", "sessions");
}
