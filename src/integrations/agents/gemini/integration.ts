/** Gemini CLI, and Antigravity, which keeps its history in the same folder. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const gemini: Integration = {
  id: "gemini",
  name: "Gemini CLI",
  aliases: ["gemini_cli"],
  handoff: {
    filePrefix: "@",
    resume: ["gemini", "--resume"],
    elsewhere: /[\\/]antigravity[^\\/]*[\\/]/,
    start: ["gemini", "-i"],
  },
  folders: (env) => [geminiFolder(env)],
  history: async () => (await import("./history/source.ts")).geminiHistory,
  settings: async () => (await import("./settings.ts")).geminiSettings,
  hooks: async () => (await import("./hooks.ts")).geminiHooks,
};

export function geminiFolder(env: SourceEnv): string {
  return join(env.vars.GEMINI_CLI_HOME || env.home, ".gemini");
}
