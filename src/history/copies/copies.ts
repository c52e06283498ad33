/**
 * Copies of a repository: other folders, perhaps on another machine or long deleted, in which conversations worked on the
 * same repository. dex stores them with the history and treats them as further roots, so their conversations count as the
 * repository's own.
 */
import { asArray, asString, isObject, parseJson } from "../../kernel/json.ts";
import type { Repository } from "../repository.ts";

/** Why dex takes a folder for a copy. */
export interface CopyEvidence {
  /** The user's settings declare it a copy. */
  confirmed: boolean;
  /** The folder is still there, and its repository contains the first commit of this one. */
  first_commit: boolean;
  /** Commits of this repository that its conversations made. */
  commits: number;
  /** Commits of this repository whose ids git printed in its conversations. */
  shown: number;
  /** Files of this repository, at the same relative path, that its conversations read or edited, and all that they did. */
  files: number;
  files_of: number;
  /** Its conversations pushed to, or opened a pull request at, a remote of this repository. */
  remote: boolean;
}

export interface RepositoryCopy {
  folder: string;
  /** `unsure`: something points to a copy, but not enough. */
  state: "joined" | "unsure";
  conversations: number;
  evidence: CopyEvidence;
}

/** The setting `history.copies`: by folder, the repository it belongs to, or false for none. */
export type CopySetting = Readonly<Record<string, string | false>>;

/** Key of the list of copies in the history. */
export const COPIES = "copies";

export function storedCopies(history: { getValue(key: string): string | undefined }): RepositoryCopy[] {
  return asArray(parseJson(history.getValue(COPIES) ?? "[]")).flatMap((item) => {
    // dex wrote it, but a later version may have written more.
    const isCopy = isObject(item) && asString(item.folder) !== undefined && isObject(item.evidence);
    return isCopy ? [item as unknown as RepositoryCopy] : [];
  });
}

/** The repository with the stored copies as further roots, except those that the setting refuses. */
export function withCopies(
  repository: Repository,
  history: { getValue(key: string): string | undefined },
  setting: CopySetting,
): Repository {
  if (!repository.git) return repository;
  const confirmed = confirmedCopies(setting, repository);
  const joined = storedCopies(history).flatMap(({ folder, state }) =>
    state === "joined" && !isRefused(setting, folder, repository) ? [folder] : [],
  );
  const roots = new Set([...repository.roots, ...confirmed, ...joined]);
  return roots.size === repository.roots.length ? repository : { ...repository, roots: [...roots] };
}

export function confirmedCopies(setting: CopySetting, { roots }: Repository): string[] {
  return Object.entries(setting).flatMap(([folder, value]) =>
    value !== false && roots.includes(value) ? [folder] : [],
  );
}

/** Refused, or assigned to another repository. */
export function isRefused(setting: CopySetting, folder: string, { roots }: Repository): boolean {
  const value = setting[folder];
  return value !== undefined && (value === false || !roots.includes(value));
}

/** The evidence as a sentence part: "12 of its commits are here, 30 of 34 files are here". */
export function evidenceText(evidence: CopyEvidence): string {
  const { confirmed, first_commit, commits, shown, files, files_of, remote } = evidence;
  const parts = [
    confirmed ? "confirmed by history.copies" : "",
    first_commit ? "it has the same first commit" : "",
    commits > 0 ? `${commits} of the commits made there ${commits === 1 ? "is" : "are"} here` : "",
    shown > 0 ? `git showed ${shown} of the commits here` : "",
    remote ? "it has the same remote" : "",
    files > 0 ? `${files} of ${files_of} files used there are here` : "",
  ];
  return parts.filter((part) => part !== "").join(", ") || "it has the same name";
}
