/** OpenCode. It passes the id of its session to no command and no server (1.18), so it has no session variable. */
import type { Integration } from "../integration.ts";

export const opencode: Integration = {
  id: "opencode",
  name: "OpenCode",
  aliases: ["open_code"],
  handoff: { filePrefix: "@", resume: ["opencode", "--session"], start: ["opencode", "--prompt"] },
  history: async () => (await import("./history/source.ts")).opencodeHistory,
  settings: async () => (await import("./settings.ts")).opencodeSettings,
  hooks: async () => (await import("./hooks.ts")).opencodeHooks,
};
