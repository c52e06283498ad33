/** OpenClaude, which writes Claude Code's transcripts. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const openclaude: Integration = {
  id: "openclaude",
  name: "OpenClaude",
  aliases: [],
  folders: (env) => [openclaudeProjects(env)],
  history: async () => (await import("./history/source.ts")).openclaudeHistory,
};

export function openclaudeProjects({ home, vars }: SourceEnv): string {
  return join(vars.OPENCLAUDE_CONFIG_DIR || join(home, ".openclaude"), "projects");
}
