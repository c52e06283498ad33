/**
 * Which folder a Cursor conversation belongs to. Cursor names folders by addresses (`file:///c%3A/x`), by hashes
 * (workspaceStorage, the md5 of the CLI's working folder) and by names that lost their punctuation
 * (`~/.cursor/projects`): dex reverses all of them by trying the known folders.
 */
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { asObject, firstString, isObject, type Json } from "../../../../kernel/json.ts";
import { parentFolder, sharedFolder, windowsPath } from "../../../history/folders.ts";
import { listDir, stampedCache, statOrUndefined } from "../../../history/reading/files.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { SourceEnv } from "../../../history/source.ts";
import { projectsFolder, userFolder } from "../integration.ts";

/** Cursor's `User` folder: settings, global and workspace storage. */
/** Converts a file address, an address on another machine, or a plain path to a path. */
export function addressPath(address: string | undefined): string | undefined {
  if (!address) return undefined;
  const parts = /^([a-z][a-z0-9+.-]+):\/\/([^/]*)(\/.*)?$/i.exec(address);
  if (!parts) return address;
  const path = decoded(parts[3] ?? "");
  if (path === "" || path === "/") return undefined;
  return windowsPath(path);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A VS Code address object: `{fsPath, path, external}`. */
export function uriPath(uri: Json | undefined): string | undefined {
  if (typeof uri === "string") return addressPath(uri);
  if (!isObject(uri)) return undefined;
  return firstString(uri, "fsPath") ?? addressPath(firstString(uri, "external") ?? firstString(uri, "path"));
}

/** The folder that was open in a workspace, by the name of its storage folder. */
export function workspaceFolder(user: string, hash: string): string | undefined {
  const storage = asObject(readSideJson(join(user, "workspaceStorage", hash, "workspace.json")));
  const folder = addressPath(firstString(storage, "folder"));
  if (folder !== undefined) return folder;
  const file = addressPath(firstString(storage, "workspace"));
  // A workspace that was never saved is in Cursor's own folder and does not belong to a project.
  if (file === undefined || /[\\/]Cursor[\\/]Workspaces[\\/]/.test(file)) return undefined;
  return parentFolder(file);
}

interface Folders {
  bySlug: ReadonlyMap<string, string>;
  byHash: ReadonlyMap<string, string>;
  /** Longest first. */
  all: readonly string[];
}

const foldersCache = stampedCache<Folders>();

/** Every folder known from the user, Cursor's workspaces, and the folders its agent worked in. */
function knownFolders(env: SourceEnv): Folders {
  const storage = join(userFolder(env), "workspaceStorage");
  const projects = projectsFolder(env);
  const stamp = `${changed(storage)} ${changed(projects)} ${env.roots.join("\n")}`;
  return foldersCache(`${storage}\n${projects}`, stamp, () => {
    const folders = new Set(env.roots);
    for (const { name } of listDir(storage)) {
      const folder = workspaceFolder(dirname(storage), name);
      if (folder !== undefined) folders.add(folder);
    }
    const bySlug = new Map([...folders].map((folder) => [slug(folder), folder]));
    for (const { name } of listDir(projects)) {
      const folder = trustedFolder(join(projects, name)) ?? bySlug.get(name) ?? folderOnDisk(env, name);
      if (folder === undefined) continue;
      folders.add(folder);
      bySlug.set(name, folder);
    }
    const all = [...folders].sort((one, other) => other.length - one.length || (one < other ? -1 : 1));
    return {
      all,
      bySlug,
      byHash: new Map(all.map((folder) => [createHash("md5").update(folder).digest("hex"), folder])),
    };
  });
}

/** The folder below `~/.cursor/chats` is the md5 of the working folder. */
export function folderOfHash(env: SourceEnv, hash: string): string | undefined {
  return knownFolders(env).byHash.get(hash);
}

/** The folder below `~/.cursor/projects` is the path with a dash for every run of other characters. */
export function folderOfSlug(env: SourceEnv, name: string): string | undefined {
  return knownFolders(env).bySlug.get(name);
}

/** The known folder that contains the file; otherwise the file's own folder. */
export function folderOfFiles(env: SourceEnv, files: readonly string[]): string | undefined {
  const first = files[0];
  if (first === undefined) return undefined;
  const holds = (folder: string): boolean => first.startsWith(folder) && /^[\\/]/.test(first.slice(folder.length));
  return knownFolders(env).all.find(holds) ?? sharedFolder(files.map(parentFolder));
}

function trustedFolder(project: string): string | undefined {
  return firstString(asObject(readSideJson(join(project, ".workspace-trusted"))), "workspacePath");
}

const MAX_LISTINGS = 300;

/** Looks for a folder on this machine whose path maps to that name; the longest names first. */
function folderOnDisk(env: SourceEnv, name: string): string | undefined {
  let left = MAX_LISTINGS;
  const find = (folder: string, rest: string): string | undefined => {
    left -= 1;
    if (left < 0) return undefined;
    const inside = listDir(folder)
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map((entry) => ({ path: join(folder, entry.name), slug: slug(entry.name) }))
      .filter((entry) => entry.slug !== "" && (rest === entry.slug || rest.startsWith(`${entry.slug}-`)))
      .sort((one, other) => other.slug.length - one.slug.length || (one.path < other.path ? -1 : 1));
    for (const entry of inside) {
      const found = rest === entry.slug ? entry.path : find(entry.path, rest.slice(entry.slug.length + 1));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  if (env.platform !== "win32") return find("/", name);
  return /^[a-z]-/i.test(name) ? find(`${name.charAt(0)}:\\`, name.slice(2)) : undefined;
}

function slug(path: string): string {
  return path.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

function changed(folder: string): number {
  try {
    return statOrUndefined(folder)?.mtimeMs ?? 0;
  } catch {
    return 0;
  }
}
