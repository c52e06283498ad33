/** The error for a target of which no commit and no conversation is known: it says why, as far as dex can see. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { nearNames } from "../code/answers/near.ts";
import { ofOtherRepository } from "../history/repository.ts";
import { unknownName } from "../kernel/did_you_mean.ts";
import { DexError } from "../kernel/errors.ts";
import { bareRepositoryError } from "../kernel/git/git_folder.ts";
import type { CodeReader } from "../store/code.ts";
import type { OpenRepository } from "./repository.ts";

const MAX_COMMITS = 500;

/** `typed` became `path`; a plain word may have been meant as a symbol. */
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
        { exitCode: 1, hint: "Change to a git repository, or give a folder of one with --repository." },
      )
    );
  const full = join(repository.root, path);
  const sentence = `No commit or conversation here touched ${path}.`;
  if (lstatSync(full, { throwIfNoEntry: false })) {
    const hint = "The file is not committed yet.";
    return ofOtherRepository(repository, path) ?? new DexError("unknown_file", sentence, { exitCode: 1, hint });
  }
  const recent = open.history
    .recent(MAX_COMMITS)
    .flatMap(({ no }) => open.history.filesOf(no).map((file) => file.path));
  const isWord = !/[./]/.test(typed);
  const names = isWord && graph ? nearNames(typed, graph.names()) : [];
  return unknownName({
    code: "unknown_file",
    sentence: isWord ? `No file here and no symbol of its code is called "${typed}".` : sentence,
    typed: isWord ? typed : path,
    names: isWord ? names : new Set(recent),
    hint: isWord
      ? "Name a file, a folder or a definition; `dex code map` lists files and symbols."
      : "Check the path; it is relative to the current folder.",
    exitCode: 1,
  });
}
