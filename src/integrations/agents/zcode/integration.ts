/** ZCode, which was made from OpenCode. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const zcode: Integration = {
  id: "zcode",
  name: "ZCode",
  aliases: [],
  folders: (env) => zcodeFolders(env),
  history: async () => (await import("./history/source.ts")).zcodeHistory,
};

export function zcodeFolders(env: SourceEnv): string[] {
  return [join(env.home, ".zcode", "cli", "db")];
}
