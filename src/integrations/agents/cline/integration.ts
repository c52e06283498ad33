/** Cline, the editor extension and its command line, and the forks that keep Cline's files. */
import { join } from "node:path";
import { editorUserFolders } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const cline: Integration = {
  id: "cline",
  name: "Cline",
  aliases: [],
  handoff: { filePrefix: "@/" },
  folders: (env) => clineFolders(env),
  history: async () => (await import("./history/source.ts")).clineHistory,
  settings: async () => (await import("./settings.ts")).clineSettings,
  hooks: async () => (await import("./hooks.ts")).clineHooks,
};

interface ClinePlaces {
  /** Folders that contain one folder per extension. */
  storages: string[];
  /** Sessions and tasks of the command lines. */
  sessions: string;
  tasks: string[];
}

function clineData({ home, vars }: SourceEnv): string {
  const { CLINE_SANDBOX_DATA_DIR, CLINE_DATA_DIR, CLINE_DIR } = vars;
  return CLINE_SANDBOX_DATA_DIR || CLINE_DATA_DIR || join(CLINE_DIR || join(home, ".cline"), "data");
}

/**
 * Where Cline and its relatives keep their tasks: in the global storage of VS Code and its forks, under the extension's
 * name. A fork of Cline has another name but the same task folders, so dex looks for them under every extension. The
 * Cline CLI has its own folder.
 */
export function clinePlaces(env: SourceEnv): ClinePlaces {
  const data = clineData(env);
  return {
    storages: editorUserFolders(env).map((user) => join(user, "globalStorage")),
    sessions: env.vars.CLINE_SESSION_DATA_DIR || join(data, "sessions"),
    // Roo's command line runs the extension with a made-up storage.
    tasks: [join(data, "tasks"), join(env.home, ".vscode-mock/global-storage/tasks")],
  };
}

function clineFolders(env: SourceEnv): string[] {
  const { storages, sessions, tasks } = clinePlaces(env);
  return [...storages, sessions, ...tasks];
}
