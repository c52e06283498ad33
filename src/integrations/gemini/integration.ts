/** Gemini CLI, and Antigravity, which keeps its history in the same folder. */
import type { Integration } from "../integration.ts";

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
  history: async () => (await import("./history/source.ts")).geminiHistory,
  settings: async () => (await import("./settings.ts")).geminiSettings,
  hooks: async () => (await import("./hooks.ts")).geminiHooks,
};
