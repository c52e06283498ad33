/** Kimi: Kimi Code, the older Kimi CLI. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const kimi: Integration = {
  id: "kimi",
  name: "Kimi",
  aliases: ["kimi_code", "kimi_cli"],
  handoff: { filePrefix: "@", resume: ["kimi", "--session"] },
  folders: (env) => [kimiCodeSessions(env), kimiCliSessions(env)],
  history: async () => (await import("./history/source.ts")).kimiHistory,
  hooks: async () => (await import("./hooks.ts")).kimiHooks,
  settings: async () => (await import("./settings.ts")).kimiSettings,
};

export function kimiCodeSessions({ home, vars }: SourceEnv): string {
  return join(vars.KIMI_CODE_HOME || join(home, ".kimi-code"), "sessions");
}

export function kimiCliSessions({ home, vars }: SourceEnv): string {
  return join(vars.KIMI_SHARE_DIR || join(home, ".kimi"), "sessions");
}
