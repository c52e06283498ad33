/** Letta Code with its local backend. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const letta: Integration = {
  id: "letta",
  name: "Letta Code",
  aliases: ["letta_code"],
  folders: (env) => [lettaConversations(env)],
  history: async () => (await import("./history/source.ts")).lettaHistory,
};

export function lettaConversations({ home, vars }: SourceEnv): string {
  return join(vars.LETTA_LOCAL_BACKEND_DIR || join(home, ".letta", "lc-local-backend"), "conversations");
}
