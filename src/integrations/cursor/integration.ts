/** Cursor: the editor and its command line agent. */
import type { Integration } from "../integration.ts";

export const cursor: Integration = {
  id: "cursor",
  name: "Cursor",
  aliases: ["cursor_agent"],
  handoff: {
    filePrefix: "@",
    resume: ["cursor-agent", "--resume"],
    // The editor keeps its own conversations in state.vscdb; the command line agent cannot open those.
    elsewhere: /(?<!store\.db)$/,
    start: ["cursor-agent"],
  },
  history: async () => (await import("./history/source.ts")).cursorHistory,
  settings: async () => (await import("./settings.ts")).cursorSettings,
  hooks: async () => (await import("./hooks.ts")).cursorHooks,
};
