/** DeepSeek Harness. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const deepseekHarness: Integration = {
  id: "deepseek_harness",
  name: "DeepSeek Harness",
  aliases: ["dsh", "deepseek"],
  folders: (env) => [dshSessions(env)],
  history: async () => (await import("./history/source.ts")).deepseekHarnessHistory,
};

export function dshSessions({ home, vars }: SourceEnv): string {
  return join(vars.DSH_HOME || join(home, ".dsh"), "sessions");
}
