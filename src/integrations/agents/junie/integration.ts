/** Junie, the agent of JetBrains. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const junie: Integration = {
  id: "junie",
  name: "Junie",
  aliases: [],
  folders: (env) => [junieSessions(env)],
  history: async () => (await import("./history/source.ts")).junieHistory,
  settings: async () => (await import("./settings.ts")).junieSettings,
};

export function junieSessions({ home, vars }: SourceEnv): string {
  return join(vars.JUNIE_HOME || join(home, ".junie"), "sessions");
}
