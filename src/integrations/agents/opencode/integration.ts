/** OpenCode. It passes the id of its session to no command and no server (1.18), so it has no session variable. */
import { join } from "node:path";
import { xdgDataFolder } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const opencode: Integration = {
  id: "opencode",
  name: "OpenCode",
  aliases: ["open_code"],
  handoff: { filePrefix: "@", resume: ["opencode", "--session"], start: ["opencode", "--prompt"] },
  folders: (env) => [opencodeData(env), env.vars.OPENCODE_DB ?? "", env.chats ?? ""],
  history: async () => (await import("./history/source.ts")).opencodeHistory,
  settings: async () => (await import("./settings.ts")).opencodeSettings,
  hooks: async () => (await import("./hooks.ts")).opencodeHooks,
};

export function opencodeData(env: SourceEnv): string {
  return join(xdgDataFolder(env), "opencode");
}
