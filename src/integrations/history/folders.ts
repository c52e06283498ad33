/** The folders in which programs keep their data, by the conventions of each system, and the variables that move them. */
import { join, posix, win32 } from "node:path";
import { fileURLToPath } from "node:url";
import type { SourceEnv } from "./source.ts";

/** Settings of programs: `~/.config`, `~/Library/Application Support`, `%APPDATA%`. */
export function configFolder(env: SourceEnv): string {
  if (env.platform === "darwin") return join(env.home, "Library", "Application Support");
  if (env.platform === "win32") return env.vars.APPDATA || join(env.home, "AppData", "Roaming");
  return env.vars.XDG_CONFIG_HOME || join(env.home, ".config");
}

/** Data of programs that follow the XDG convention on every system: `~/.local/share`. */
export function xdgDataFolder(env: SourceEnv): string {
  return env.vars.XDG_DATA_HOME || join(env.home, ".local", "share");
}

/** Data of programs in the way of the system: `~/.local/share`, `~/Library/Application Support`, `%LOCALAPPDATA%`. */
export function localDataFolder(env: SourceEnv): string {
  if (env.platform === "darwin") return join(env.home, "Library", "Application Support");
  if (env.platform === "win32") return env.vars.LOCALAPPDATA || join(env.home, "AppData", "Local");
  return xdgDataFolder(env);
}

const EDITORS = [
  "Code",
  "Code - Insiders",
  "Code - Exploration",
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

/** The `User` folders of VS Code, of editors made from it, and of their remote servers. They need not exist. */
export function editorUserFolders(env: SourceEnv): string[] {
  return [
    ...EDITORS.map((editor) => join(configFolder(env), editor, "User")),
    ...SERVERS.map((server) => join(env.home, server, "data", "User")),
    join(env.home, ".local", "share", "code-server", "User"),
  ];
}

/** The data of Claude's desktop app; the one from the Windows store has a folder of its own. */
export function claudeDesktopFolders(env: SourceEnv): string[] {
  const folder = join(configFolder(env), "Claude");
  if (env.platform !== "win32") return [folder];
  const store = join(localDataFolder(env), "Packages", "Claude_pzs8sxrjxfjjc", "LocalCache", "Roaming", "Claude");
  return [folder, store];
}

/** A folder that is stored as a path or as a file URI; undefined for a URI of another kind. */
export function folderOfUri(uri: string | undefined): string | undefined {
  if (uri === undefined || uri === "") return undefined;
  if (!/^[a-z][a-z+.-]+:\/\//i.test(uri)) return uri;
  try {
    return uri.startsWith("file:") ? windowsPath(fileURLToPath(uri)) : undefined;
  } catch {
    return undefined;
  }
}

/** The path of a URI as Windows writes it, on every system: `/c:/Users` is `C:\Users`. Other paths stay as they are. */
export function windowsPath(path: string): string {
  const [, drive, rest] = /^[\\/]?([a-z]):([\\/].*)$/is.exec(path) ?? [];
  return drive === undefined || rest === undefined ? path : `${drive.toUpperCase()}:${rest.replaceAll("/", "\\")}`;
}

/** The folder above a path of either system. */
export function parentFolder(path: string): string {
  return path.includes("\\") ? win32.dirname(path) : posix.dirname(path);
}

/** The folder that holds all of the absolute ones; undefined if that is the root. */
export function sharedFolder(folders: readonly string[]): string | undefined {
  const [first, ...others] = folders.filter((folder) => posix.isAbsolute(folder) || win32.isAbsolute(folder));
  let shared = first;
  for (const folder of others) {
    while (shared !== undefined && folder !== shared && !folder.startsWith(`${shared}${separator(shared)}`)) {
      const up = parentFolder(shared);
      shared = up === shared ? undefined : up;
    }
  }
  return shared === undefined || parentFolder(shared) === shared ? undefined : shared;
}

function separator(path: string): string {
  return path.includes("\\") ? win32.sep : posix.sep;
}
