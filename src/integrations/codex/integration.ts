/** Codex, OpenAI's agent: command line, app and editor extension. */
import type { Integration } from "../integration.ts";

export const codex: Integration = {
  id: "codex",
  name: "Codex",
  aliases: ["codex_cli"],
  // Set for commands (0.166); an MCP server gets its thread only in the `_meta` of each call.
  sessionVariables: ["CODEX_THREAD_ID", "CODEX_SESSION_ID"],
  handoff: { resume: ["codex", "resume"], start: ["codex"] },
  history: async () => (await import("./history/source.ts")).codexHistory,
  settings: async () => (await import("./settings.ts")).codexSettings,
  hooks: async () => (await import("./hooks.ts")).codexHooks,
};
