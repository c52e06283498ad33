/** Grok Build. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const grokBuild: Integration = {
  id: "grok_build",
  name: "Grok Build",
  aliases: ["grok"],
  folders: (env) => [grokSessions(env)],
  history: async () => (await import("./history/source.ts")).grokBuildHistory,
};

export function grokSessions({ home, vars }: SourceEnv): string {
  return join(vars.GROK_HOME || join(home, ".grok"), "sessions");
}
