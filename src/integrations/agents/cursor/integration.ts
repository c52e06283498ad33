/** Cursor: the editor and its command line agent. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

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
  folders: (env) => [userFolder(env), agentFolder(env), projectsFolder(env)],
  history: async () => (await import("./history/source.ts")).cursorHistory,
  settings: async () => (await import("./settings.ts")).cursorSettings,
  hooks: async () => (await import("./hooks.ts")).cursorHooks,
};

export function userFolder(env: SourceEnv): string {
  if (env.platform === "darwin") return join(env.home, "Library", "Application Support", "Cursor", "User");
  if (env.platform === "win32") {
    return join(env.vars.APPDATA || join(env.home, "AppData", "Roaming"), "Cursor", "User");
  }
  return join(env.vars.XDG_CONFIG_HOME || join(env.home, ".config"), "Cursor", "User");
}

/** The folder of cursor-agent, which the editor uses too. */
export function agentFolder(env: SourceEnv): string {
  return env.vars.CURSOR_CONFIG_DIR || join(env.home, ".cursor");
}

export function projectsFolder(env: SourceEnv): string {
  return join(env.vars.CURSOR_DATA_DIR || agentFolder(env), "projects");
}
