/** Continue: its extensions and its command line, and PearAI, which was made from it. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const continueDev: Integration = {
  id: "continue",
  name: "Continue",
  aliases: ["continue_dev", "cn", "pearai"],
  folders: (env) => continueSessions(env),
  history: async () => (await import("./history/source.ts")).continueHistory,
  settings: async () => (await import("./settings.ts")).continueSettings,
};

export function continueSessions({ home, vars }: SourceEnv): string[] {
  const homes = [vars.CONTINUE_GLOBAL_DIR || join(home, ".continue"), join(home, ".pearai")];
  return homes.map((folder) => join(folder, "sessions"));
}
