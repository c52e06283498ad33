/** gptme. */
import { join } from "node:path";
import { localDataFolder } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const gptme: Integration = {
  id: "gptme",
  name: "gptme",
  aliases: [],
  folders: (env) => [gptmeLogs(env)],
  history: async () => (await import("./history/source.ts")).gptmeHistory,
};

export function gptmeLogs(env: SourceEnv): string {
  return env.vars.GPTME_LOGS_HOME || join(localDataFolder(env), "gptme", "logs");
}
