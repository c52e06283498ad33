/** Claude Cowork, the agent of Claude's desktop app. */
import { join } from "node:path";
import { claudeDesktopFolders } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const claudeCowork: Integration = {
  id: "claude_cowork",
  name: "Claude Cowork",
  aliases: ["cowork"],
  folders: (env) => coworkFolders(env),
  history: async () => (await import("./history/source.ts")).claudeCoworkHistory,
};

export function coworkFolders(env: SourceEnv): string[] {
  return claudeDesktopFolders(env).map((folder) => join(folder, "local-agent-mode-sessions"));
}
