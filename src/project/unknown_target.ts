/** The error for a target with no known commits or conversations: it explains why, as far as dex can tell. */
import { lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { nearNames } from "../code/answers/near.ts";
import { ofOtherRepository } from "../history/repository.ts";
import { didYouMean, unknownName } from "../kernel/did_you_mean.ts";
import { DexError } from "../kernel/errors.ts";
import { bareRepositoryError } from "../kernel/git/git_folder.ts";
import { editDistance } from "../kernel/text.ts";
import type { CodeReader } from "../store/code.ts";
import type { OpenRepository } from "./repository.ts";

const MAX_COMMITS = 500;

/** `typed` was resolved to `path`; a plain word may have been meant as a symbol. */
export function unknownTarget(
  open: OpenRepository,
  typed: string,
  path: string,
  graph: CodeReader | undefined,
): DexError {
  const { repository, withoutGit } = open;
  if (withoutGit) return withoutGit;
  if (!repository.git)
    return (
      bareRepositoryError(repository.root) ??
      new DexError(
        "unknown_file",
        `No conversation here touched ${path}, and ${repository.root} is not in a git repository.`,
        { exitCode: 1, hint: "Change to a git repository, or give a folder of one with --project." },
      )
    );
  const full = join(repository.root, path);
  const sentence = `No commit or conversation here touched ${path}.`;
  if (lstatSync(full, { throwIfNoEntry: false })) {
    const hint = "The file is not committed yet.";
    return ofOtherRepository(repository, path) ?? new DexError("unknown_file", sentence, { exitCode: 1, hint });
  }
  const isWord = !/[./]/.test(typed);
  const names = isWord && graph ? nearNames(typed, graph.names()) : [];
  return unknownName({
    code: "unknown_file",
    sentence: isWord ? `No file here and no symbol of its code is called "${typed}".` : sentence,
    typed: isWord ? typed : path,
    names: isWord ? names : pathsLike(open, path),
    hint: isWord
      ? "Name a file, a folder or a definition; `dex code map` lists files and symbols."
      : "Check the path; it is relative to the current folder.",
    exitCode: 1,
  });
}

/** An error for a file that does not exist, with the path that was meant. */
export function withNearPath(open: OpenRepository, path: string, error: unknown): unknown {
  if (!(error instanceof DexError) || error.code !== "no_file") return error;
  const hint = didYouMean(path, pathsLike(open, path));
  return hint === undefined ? error : new DexError(error.code, error.message, { hint, cause: error.cause });
}

/** A note for an answer without results: the file does not exist. */
export function noSuchFile(open: OpenRepository, path: string): string | undefined {
  if (open.history.countOf(path) > 0) return undefined;
  if (lstatSync(join(open.repository.root, path), { throwIfNoEntry: false })) return undefined;
  const question = didYouMean(path, pathsLike(open, path));
  return [`Neither the working tree nor any commit has a file ${path}.`, question].filter(Boolean).join(" ");
}

/** The files of the latest commits with a similar name: an extension and folders in common make no path plausible. */
function pathsLike({ history }: Pick<OpenRepository, "history">, typed: string): string[] {
  const paths = new Set(history.recent(MAX_COMMITS).flatMap(({ no }) => history.filesOf(no).map(({ path }) => path)));
  const stem = stemOf(typed);
  const limit = Math.max(2, Math.ceil(stem.length / 3)) + 1;
  return [...paths].filter((path) => editDistance(stem, stemOf(path), limit) < limit);
}

function stemOf(path: string): string {
  return basename(path).replace(/(?<=.)\..*$/, "");
}
