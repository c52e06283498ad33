/** Copilot CLI, GitHub's command line agent. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const copilot: Integration = {
  id: "copilot",
  name: "Copilot CLI",
  aliases: ["copilot_cli", "github_copilot"],
  handoff: { filePrefix: "@", resume: ["copilot", "--resume"], start: ["copilot", "-i"] },
  folders: (env) => [copilotHome(env)],
  history: async () => (await import("./history/source.ts")).copilotHistory,
  settings: async () => (await import("./settings.ts")).copilotSettings,
  hooks: async () => (await import("./hooks.ts")).copilotHooks,
};

export function copilotHome({ home, vars }: SourceEnv): string {
  return vars.COPILOT_HOME || join(home, ".copilot");
}
