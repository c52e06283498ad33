/** Goose. */
import { join } from "node:path";
import { xdgDataFolder } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const goose: Integration = {
  id: "goose",
  name: "Goose",
  aliases: [],
  handoff: { resume: ["goose", "session", "--resume", "--session-id"] },
  folders: (env) => [gooseSessions(env)],
  history: async () => (await import("./history/source.ts")).gooseHistory,
  settings: async () => (await import("./settings.ts")).gooseSettings,
};

export function gooseSessions(env: SourceEnv): string {
  const { GOOSE_PATH_ROOT, APPDATA } = env.vars;
  if (GOOSE_PATH_ROOT) return join(GOOSE_PATH_ROOT, "data", "sessions");
  if (env.platform === "win32" && APPDATA) return join(APPDATA, "Block", "goose", "data", "sessions");
  return join(xdgDataFolder(env), "goose", "sessions");
}
