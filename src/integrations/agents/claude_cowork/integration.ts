/** Claude Cowork, the agent of Claude's desktop app. */
import { join } from "node:path";
import { configFolder } from "../../history/folders.ts";
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
  return desktopFolders(env).map((folder) => join(folder, "local-agent-mode-sessions"));
}

/** The data of Claude's desktop app. */
export function desktopFolders(env: SourceEnv): string[] {
  const folders = [join(configFolder(env), "Claude")];
  if (env.platform === "win32") {
    const local = env.vars.LOCALAPPDATA || join(env.home, "AppData", "Local");
    folders.push(join(local, "Packages", "Claude_pzs8sxrjxfjjc", "LocalCache", "Roaming", "Claude"));
  }
  return folders;
}
