/**
 * Translates paths of another member's machine to paths relative to the root of the shared project: their clone is in
 * another folder, and their home was shortened to `~`.
 */
import { posix } from "node:path";
import type { ConversationMeta } from "../../conversations/model.ts";

/** The folder of a conversation and the root of its project, on the machine that pushed it. */
export interface OwnersPlace {
  folder: string;
  root: string;
}

/** `/srv/x`, `~/x`, `D:/x` and `//server/x`. */
const ABSOLUTE = /^(?:\/|~(?:\/|$)|[A-Za-z]:\/)/;

/**
 * The assumed root if the owner's machine did not state it: the folder on the path with the project's name, else the
 * conversation's folder.
 */
export function guessRoot(folder: string, scope: string): string {
  const name = (scope.split("/").at(-1) ?? "").toLowerCase();
  const parts = slashed(folder).split("/");
  const at = name === "" ? -1 : parts.findLastIndex((part) => part.toLowerCase() === name);
  return at < 0 ? slashed(folder) : parts.slice(0, at + 1).join("/");
}

/** Undefined if the conversation has no folder. */
export function ownersPlaceOf({ project, root }: ConversationMeta, scope: string): OwnersPlace | undefined {
  return project === undefined ? undefined : { folder: project, root: root ?? guessRoot(project, scope) };
}

/** The path relative to the root of the project; unchanged if it leads elsewhere. */
export function pathInProject(path: string, { folder, root }: OwnersPlace): string {
  const plain = slashed(path);
  const full = posix.normalize(ABSOLUTE.test(plain) ? plain : posix.join(slashed(folder), plain));
  const start = slashed(root).replace(/\/*$/, "/");
  return full.length > start.length && full.startsWith(start) ? full.slice(start.length) : path;
}

function slashed(path: string): string {
  return path.includes("/") && !path.includes("\\") ? path : path.replaceAll("\\", "/");
}
