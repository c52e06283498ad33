/**
 * Where Cline and its relatives keep their tasks: in the global storage of VS Code and its forks, under the extension's
 * name. A fork of Cline has another name but the same task folders, so dex looks for them under every extension. The
 * Cline CLI has its own folder.
 */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";

const EDITORS = [
  "Code",
  "Code - Insiders",
  "Code - OSS",
  "VSCodium",
  "VSCodium - Insiders",
  "Cursor",
  "Windsurf",
  "Windsurf - Next",
  "Antigravity",
  "Kiro",
  "Positron",
  "Trae",
];

/** Editors that run on a remote machine keep their data in the home folder of that machine. */
const SERVERS = [
  ".vscode-server",
  ".vscode-server-insiders",
  ".vscode-remote",
  ".vscodium-server",
  ".cursor-server",
  ".windsurf-server",
];

interface ClinePlaces {
  /** Folders that contain one folder per extension. */
  storages: string[];
  /** The CLI's sessions and tasks. */
  sessions: string;
  tasks: string;
}

export function clinePlaces(env: SourceEnv): ClinePlaces {
  const settings = settingsFolder(env);
  const users = [
    ...EDITORS.map((editor) => join(settings, editor, "User")),
    ...SERVERS.map((server) => join(env.home, server, "data", "User")),
    join(env.home, ".local", "share", "code-server", "User"),
  ];
  const data = env.vars.CLINE_DATA_DIR || join(env.home, ".cline", "data");
  return {
    storages: users.map((user) => join(user, "globalStorage")),
    sessions: env.vars.CLINE_SESSION_DATA_DIR || join(data, "sessions"),
    tasks: join(data, "tasks"),
  };
}

function settingsFolder(env: SourceEnv): string {
  if (env.platform === "darwin") return join(env.home, "Library", "Application Support");
  if (env.platform === "win32") return env.vars.APPDATA || join(env.home, "AppData", "Roaming");
  return env.vars.XDG_CONFIG_HOME || join(env.home, ".config");
}
