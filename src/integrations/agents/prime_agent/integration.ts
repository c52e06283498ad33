/** Prime Agent, which writes pi's session files. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const primeAgent: Integration = {
  id: "prime_agent",
  name: "Prime Agent",
  aliases: ["prime"],
  folders: (env) => [primeSessions(env)],
  history: async () => (await import("./history/source.ts")).primeAgentHistory,
};

export function primeSessions({ home, vars }: SourceEnv): string {
  return vars.PRIME_AGENT_SESSION_DIR || join(home, ".prime", "agent", "sessions");
}
