/** The subject of a history: a file, a folder or a symbol, with the commits that touched it. */
import type { Decision } from "../../decisions/decision.ts";
import { commitsOfLines, type LineRange, type Locate } from "../../history/symbols.ts";
import { DexError } from "../../kernel/errors.ts";
import { folderIn, type OpenRepository, resolveFile } from "../../project/repository.ts";
import { patternFor } from "../../text/patterns.ts";
import type { OperationContext } from "../operation.ts";
import type { TouchingCommit } from "./events.ts";

const MAX_COMMITS = 10_000;
/** Commits that changed the lines of one definition. */
const MAX_LINE_COMMITS = 500;
const MAX_DEFINITIONS = 5;
/** Any letter may be part of a name: `größe`. */
const SYMBOL = patternFor(String.raw`^[\p{L}_$][\p{L}\p{M}\p{N}_$.]*$`);

export interface Subject {
  kind: "file" | "folder" | "symbol";
  /** As shown. */
  target: string;
  /** The file, that of the first definition, or the folder. */
  path: string;
  /** Definitions of a symbol. */
  places?: LineRange[];
  commits: TouchingCommit[];
  /** The files, under all of their names. */
  names: string[];
  isOf(decision: Pick<Decision, "files" | "symbols">): boolean;
}

/** The target as a file or folder that exists or has a history, or else as a symbol defined in the repository. */
export async function subjectOf(
  open: OpenRepository,
  target: string,
  locate: Locate,
  context: OperationContext,
): Promise<Subject> {
  const folder = folderIn(open, target);
  if (folder !== undefined) return subjectOfFolder(open, folder);
  const like = open.history.pathsLike(target.replace(/^\.\//, ""), 1).length > 0;
  const named = !like && SYMBOL(target).test(target) && open.repository.git;
  const places = named ? await locate(open.repository, target) : [];
  const path = places[0]?.file ?? resolveFile(open, target);
  const ofFile = open.history.commitsOf(path, MAX_COMMITS);
  const names = [
    ...new Set([path, ...ofFile.flatMap((each) => (each.old === null ? [each.path] : [each.path, each.old]))]),
  ];
  if (places.length === 0)
    return { kind: "file", target: path, path, commits: ofFile, names, isOf: ({ files }) => files.includes(path) };
  const last = target.split(".").at(-1) ?? target;
  return {
    kind: "symbol",
    target,
    path,
    places,
    commits: await symbolCommits(open, places, ofFile, context),
    names,
    isOf: ({ symbols }) => symbols.includes(last),
  };
}

function subjectOfFolder(open: OpenRepository, folder: string): Subject {
  const isBelow = (path: string): boolean => path.startsWith(`${folder}/`);
  return {
    kind: "folder",
    target: `${folder}/`,
    path: folder,
    commits: open.history.commitsBelow(folder, MAX_COMMITS),
    names: open.history.allPaths().filter(isBelow),
    isOf: ({ files }) => files.some(isBelow),
  };
}

/** Following lines needs every version of the file. If one is missing, falls back to the commits of the whole file. */
async function symbolCommits(
  open: OpenRepository,
  places: readonly LineRange[],
  ofFile: TouchingCommit[],
  context: OperationContext,
): Promise<TouchingCommit[]> {
  const shas = new Set<string>();
  try {
    for (const place of places.slice(0, MAX_DEFINITIONS)) {
      // A definition that is not committed yet has no history.
      if (open.history.countOf(place.file) === 0) continue;
      for (const sha of await commitsOfLines(open.repository, place, MAX_LINE_COMMITS)) shas.add(sha);
    }
  } catch (error) {
    if (!(error instanceof DexError) || error.code !== "git_failed") throw error;
    context.notice?.(`${error.message} The commits of the whole file are shown.`);
    return ofFile;
  }
  return [...shas].flatMap((sha) => open.history.byPrefix(sha, 1));
}
