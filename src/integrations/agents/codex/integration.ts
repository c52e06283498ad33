/** Codex, OpenAI's agent: command line, app and editor extension. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const codex: Integration = {
  id: "codex",
  name: "Codex",
  aliases: ["codex_cli"],
  // Set for commands (0.166); an MCP server gets its thread only in the `_meta` of each call.
  sessionVariables: ["CODEX_THREAD_ID", "CODEX_SESSION_ID"],
  handoff: { resume: ["codex", "resume"], start: ["codex"] },
  folders: (env) => codexHomes(env),
  history: async () => (await import("./history/source.ts")).codexHistory,
  settings: async () => (await import("./settings.ts")).codexSettings,
  hooks: async () => (await import("./hooks.ts")).codexHooks,
};

export function codexHomes({ home, platform, vars }: SourceEnv): string[] {
  const own = vars.CODEX_HOME || join(home, ".codex");
  if (platform !== "darwin") return [own];
  return [own, join(home, "Library", "Developer", "Xcode", "CodingAssistant", "codex")];
}
