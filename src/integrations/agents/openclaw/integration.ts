/** OpenClaw since 2026.8, which keeps its sessions in a database. Older ones are read as files of pi. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const openclaw: Integration = {
  id: "openclaw",
  name: "OpenClaw",
  aliases: ["clawdbot", "moltbot"],
  folders: (env) => [openclawAgents(env)],
  history: async () => (await import("./history/source.ts")).openclawHistory,
};

export function openclawAgents({ home, vars }: SourceEnv): string {
  return join(vars.OPENCLAW_STATE_DIR || join(home, ".openclaw"), "agents");
}
