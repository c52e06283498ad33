/** ICodeMate, which was made from OpenCode. */
import { join } from "node:path";
import { xdgDataFolder } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const icodemate: Integration = {
  id: "icodemate",
  name: "ICodeMate",
  aliases: [],
  folders: (env) => icodemateFolders(env),
  history: async () => (await import("./history/source.ts")).icodemateHistory,
};

export function icodemateFolders(env: SourceEnv): string[] {
  return [join(xdgDataFolder(env), "icodemate")];
}
