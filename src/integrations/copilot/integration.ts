/** Copilot CLI, GitHub's command line agent. */
import type { Integration } from "../integration.ts";

export const copilot: Integration = {
  id: "copilot",
  name: "Copilot CLI",
  aliases: ["copilot_cli", "github_copilot"],
  handoff: { filePrefix: "@", resume: ["copilot", "--resume"], start: ["copilot", "-i"] },
  history: async () => (await import("./history/source.ts")).copilotHistory,
  settings: async () => (await import("./settings.ts")).copilotSettings,
  hooks: async () => (await import("./hooks.ts")).copilotHooks,
};
