/** Deep Agents Code, the coding agent of LangChain: `dcode`, before that `deepagents`. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const deepAgents: Integration = {
  id: "deep_agents",
  name: "Deep Agents",
  aliases: ["deepagents", "deep_agents_code", "dcode"],
  handoff: { filePrefix: "@", resume: ["dcode", "-r"], start: ["dcode", "-m"] },
  folders: (env) => [deepAgentsHome(env)],
  history: async () => (await import("./history/source.ts")).deepAgentsHistory,
  settings: async () => (await import("./settings.ts")).deepAgentsSettings,
};

export function deepAgentsHome({ home, vars }: Pick<SourceEnv, "home" | "vars">): string {
  return vars.DEEPAGENTS_HOME || join(home, ".deepagents");
}
