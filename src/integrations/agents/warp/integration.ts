/** Warp, the terminal with an agent. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const warp: Integration = {
  id: "warp",
  name: "Warp",
  aliases: [],
  folders: (env) => warpDatabases(env),
  history: async () => (await import("./history/source.ts")).warpHistory,
};

/** Stable and preview, each with the window's and the terminal client's database. */
export function warpDatabases(env: SourceEnv): string[] {
  return dataFolders(env).flatMap((folder) => [join(folder, "warp.sqlite"), join(folder, "tui", "warp.sqlite")]);
}

function dataFolders({ home, platform, vars }: SourceEnv): string[] {
  if (platform === "win32") {
    const local = vars.LOCALAPPDATA || join(home, "AppData", "Local");
    return ["Warp", "WarpPreview"].map((name) => join(local, "warp", name, "data"));
  }
  if (platform === "darwin") {
    const support = join("Library", "Application Support");
    const roots = [join(home, "Library", "Group Containers", "2BBY89MBSN.dev.warp", support), join(home, support)];
    return roots.flatMap((root) => ["dev.warp.Warp-Stable", "dev.warp.Warp-Preview"].map((name) => join(root, name)));
  }
  const state = vars.XDG_STATE_HOME || join(home, ".local", "state");
  return ["warp-terminal", "warp-terminal-preview"].map((name) => join(state, name));
}
