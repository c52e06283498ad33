/** The names and remotes of a repository, and the paths that distinguish it from others. */
import { basename, join } from "node:path";
import { type Repository, readGitFile } from "../repository.ts";

/** `git-sync`, `gitsync` and `Git_Sync` are one name. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Shorter names, such as `app`, are part of many others. */
const MIN_NAME_CHARS = 3;
const MAX_REMOTES = 20;

/** The addresses of the repository's remotes as host/owner/name, without user, port and `.git`. */
export function remotesOf({ commonDir }: Repository): string[] {
  const config = readGitFile(join(commonDir, "config")) ?? "";
  const urls = [...config.matchAll(/^\s*url\s*=\s*(\S+)\s*$/gm)].slice(0, MAX_REMOTES).map((match) => match[1] ?? "");
  return [...new Set(urls.flatMap((url) => remoteName(url) ?? []))];
}

/** `git@github.com:ada/pool.git` and `https://github.com/ada/pool/pull/3` are `github.com/ada/pool`. */
export function remoteName(url: string): string | undefined {
  const [, host, path] =
    /^(?:[a-z+]{2,10}:\/\/(?:[^/@\s]{1,200}@)?|[\w.-]{1,100}@)([\w.-]{1,250})(?::\d{1,5})?[:/](.{1,500})$/i.exec(url) ??
    [];
  const parts = (path ?? "").split("/").filter((part) => part !== "");
  if (host === undefined || parts.length < 2) return undefined;
  const end = parts.findIndex(
    (part) => part === "-" || part === "pull" || part === "pulls" || part === "merge_requests",
  );
  const named = end > 1 ? parts.slice(0, end) : parts;
  return `${host}/${named.join("/")}`.toLowerCase().replace(/\.git$/, "");
}

export function namesOf(repository: Repository, remotes: readonly string[]): ReadonlySet<string> {
  const names = [basename(repository.root), ...remotes.map((remote) => basename(remote))].map(plainName);
  return new Set(names.filter((name) => name.length >= MIN_NAME_CHARS));
}

/**
 * How a folder's path names the repository: `exact` if a folder in it has the name; `begins` for names that tools give to
 * worktrees (`pool.worktrees`, `pool-pr65`).
 */
export function namedAs(folder: string, names: ReadonlySet<string>): "exact" | "begins" | undefined {
  const parts = folder.split("/").filter((part) => part !== "");
  if (parts.some((part) => names.has(plainName(part)))) return "exact";
  const starts = parts.map((part) => /^(.+?)(?:__|[._-](?=worktrees?$|wt$|pr-?\d+$))/i.exec(part)?.[1]);
  return starts.some((start) => start !== undefined && names.has(plainName(start))) ? "begins" : undefined;
}

/** File names that many repositories have at the same place. */
const COMMON_NAME =
  /^(?:readme|license|licence|copying|changelog|contributing|claude|agents|gemini|copilot-instructions|security|makefile|dockerfile|package|package-lock|tsconfig|jsconfig|go|pyproject|setup|cargo|settings|settings\.local|config|index|main|app|lib|mod|utils?|helpers?|types?|constants|errors?|version|test|tests|conftest|__init__|__main__|ci|build|release|lint|test|deploy|dependabot|codeowners|\.\w+)(?:\.[\w.]+)?$/i;

/** Whether two repositories are unlikely to have this file by chance. */
export function isTelling(path: string): boolean {
  return path.includes("/") && !path.startsWith(".") && !COMMON_NAME.test(path.slice(path.lastIndexOf("/") + 1));
}
