/** SWE-agent, which keeps the trajectories of its runs in the folder that it was started in. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const sweAgent: Integration = {
  id: "swe_agent",
  name: "SWE-agent",
  aliases: ["sweagent"],
  folders: (env) => trajectoryFolders(env),
  history: async () => (await import("./history/source.ts")).sweAgentHistory,
};

export function trajectoryFolders(env: SourceEnv): string[] {
  return env.roots.map((root) => join(root, "trajectories"));
}
