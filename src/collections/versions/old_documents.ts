/**
 * Leaves out documentation of old versions that a repository keeps beside the current one: `docs/v1` beside `docs/v2`
 * or `docs/next`, `versioned_docs/version-1.0` beside `docs`. Nearly all of its pages repeat current ones, or describe
 * a past state.
 */
import { compareVersions, parseVersion } from "./ranges.ts";

const VERSION_FOLDER = /^(?:v|version-)\d+(?:\.(?:\d+|x))*(?:-[\w.]+)?$|^\d+\.(?:\d+|x)(?:\.(?:\d+|x))*$/i;
const CURRENT_FOLDER = /^(?:current|dev|edge|latest|main|master|next|stable|unreleased)$/i;
/** A folder is another version of a folder if it has at least this share of its documents. */
const MIN_SHARED = 0.3;

export function withoutOldVersions<File extends { path: string }>(files: readonly File[]): File[] {
  const folders = new Map<string, Set<string>>();
  for (const { path } of files) {
    for (const [folder, rest] of splits(path)) folders.set(folder, (folders.get(folder) ?? new Set()).add(rest));
  }
  const versions = [...folders.keys()].filter((folder) => VERSION_FOLDER.test(nameOf(folder)));
  const old = versions.filter((folder) => rivalsOf(folder, folders).some((rival) => isSame(folder, rival, folders)));
  return old.length === 0
    ? [...files]
    : files.filter(({ path }) => !old.some((folder) => path.startsWith(`${folder}/`)));
}

/** Each folder above a path, and the rest of the path. */
function splits(path: string): [string, string][] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => [parts.slice(0, at + 1).join("/"), parts.slice(at + 1).join("/")]);
}

/** The folders in which a newer version of the folder's documents would be. */
function rivalsOf(folder: string, folders: ReadonlyMap<string, unknown>): string[] {
  const parent = parentOf(folder);
  const siblings = [...folders.keys()].filter((other) => other !== folder && parentOf(other) === parent);
  const newer = siblings.filter(
    (other) => CURRENT_FOLDER.test(nameOf(other)) || isNewer(nameOf(other), nameOf(folder)),
  );
  return [...newer, parent, parent.replace(/(^|\/)versioned_docs$/, "$1docs")].filter((other) => folders.has(other));
}

function isSame(folder: string, rival: string, folders: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const own = [...(folders.get(folder) ?? [])];
  const others = folders.get(rival);
  return own.filter((rest) => others?.has(rest)).length >= Math.max(1, own.length * MIN_SHARED);
}

function isNewer(name: string, than: string): boolean {
  const [one, other] = [versionOf(name), versionOf(than)];
  return one !== undefined && other !== undefined && compareVersions(one, other) > 0;
}

/** `v2` and `version-2.x` are 2.0.0. */
function versionOf(name: string): ReturnType<typeof parseVersion> {
  if (!VERSION_FOLDER.test(name)) return undefined;
  const numbers = name.replace(/^\D+/, "").replace(/-.*$/, "").replaceAll("x", "0").split(".");
  return parseVersion([...numbers, "0", "0"].slice(0, 3).join("."));
}

function parentOf(folder: string): string {
  return folder.slice(0, Math.max(0, folder.lastIndexOf("/")));
}

function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf("/") + 1);
}
