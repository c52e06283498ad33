/** ForgeCode. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const forgecode: Integration = {
  id: "forgecode",
  name: "ForgeCode",
  aliases: ["forge"],
  folders: (env) => forgeDatabases(env),
  history: async () => (await import("./history/source.ts")).forgecodeHistory,
};

export function forgeDatabases({ home, vars }: SourceEnv): string[] {
  const folders = vars.FORGE_CONFIG ? [vars.FORGE_CONFIG] : [join(home, "forge"), join(home, ".forge")];
  return folders.map((folder) => join(folder, ".forge.db"));
}
