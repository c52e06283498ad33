/** Versions of a file in the commits of a repository. */
import { DexError } from "../../kernel/errors.ts";
import { redactText } from "../../redact/redact.ts";
import type { HistoryReader } from "../../store/history.ts";
import { git } from "../git.ts";
import type { Repository } from "../repository.ts";

export interface CommittedVersion {
  sha: string;
  /** When it was written, in whole seconds. */
  time: number;
  text: string;
}

/** Commits that are tried, the latest first: with an older one, an edit might fit by chance. */
const MAX_COMMITS = 3;
const MAX_COMMITS_READ = 1000;
const MAX_FILE_BYTES = 8 << 20;
/** Commit times are whole seconds. */
const ROUNDING_MS = 1000;

/** The versions of the file after one time and up to another, redacted as the archive is. */
export async function* committedVersions(
  { repository, history }: { repository: Repository; history: HistoryReader },
  file: string,
  after: number,
  before: number,
): AsyncGenerator<CommittedVersion> {
  if (!repository.git) return;
  const commits = history
    .commitsOf(file, MAX_COMMITS_READ)
    .filter(({ authored, parents }) => parents < 2 && authored + ROUNDING_MS >= after && authored <= before)
    .sort((a, b) => b.authored - a.authored);
  for (const { sha, path, authored: time } of commits.slice(0, MAX_COMMITS)) {
    try {
      const args = ["cat-file", "blob", `${sha}:${path}`];
      const { text, truncated } = await git(repository.root, args, { maxBytes: MAX_FILE_BYTES });
      if (!truncated) yield { sha, time, text: redactText(text).text };
    } catch (error) {
      // The commit deleted the file, or its content is missing from the repository.
      if (!(error instanceof DexError) || error.code !== "git_failed") throw error;
    }
  }
}
