/** What the history of a project's repository says to questions about its code. */

import type { Dex } from "../dex.ts";
import { historyPath } from "../history/place.ts";
import { findProject } from "../history/repository.ts";
import { updateHistory } from "../history/update.ts";
import { DexError } from "../kernel/errors.ts";
import type { RunContext } from "../run_context.ts";
import { openHistory } from "../store/sqlite/history/reader.ts";
import { type Changes, commitChanges, conversationChanges } from "./changes.ts";

export interface ProjectChanges {
  /** Absent where there is no history. */
  commits?: Changes;
  conversations: Changes;
  close(): void;
}

/** CHANGED_WITH: what commits changed together, and what conversations edited together. */
export async function projectChanges(dex: Dex, root: string, context: RunContext): Promise<ProjectChanges> {
  const repository = findProject(root);
  const conversations = conversationChanges(repository, dex.store);
  if (!repository.git || repository.root !== root) return { conversations, close: () => undefined };
  try {
    await updateHistory(repository, dex.paths.history, {
      progress: (done) => context.progress?.(done, done, "commits"),
    });
  } catch (error) {
    // The rest of the answer needs no git.
    if (!(error instanceof DexError)) throw error;
    context.notice?.(`${error.message} What changed together is not counted.`);
    return { conversations, close: () => undefined };
  }
  const history = openHistory(historyPath(dex.paths.history, repository));
  return { commits: commitChanges(history), conversations, close: () => history.close() };
}
