/** What the history of a project's repository says to questions about its code. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Evidence } from "../code/answers/related.ts";
import type { Dex } from "../dex.ts";
import { coChanges, type Partner } from "../history/cochange.ts";
import { historyPath } from "../history/place.ts";
import { findProject } from "../history/repository.ts";
import { updateHistory } from "../history/update.ts";
import { DexError } from "../kernel/errors.ts";
import { plural } from "../kernel/text.ts";
import { openHistory } from "../store/sqlite/history.ts";
import type { RunContext } from "./operation.ts";

const MOST_PARTNERS = 50;
/** Changed together always says about as much as a test of the file does. */
const WEIGHT = 0.8;

/** CHANGED_WITH: the files that earlier commits changed beside this one, by path. Empty where there is no history. */
export async function changedWith(
  dex: Dex,
  root: string,
  file: string,
  context: RunContext,
): Promise<Map<string, Partner>> {
  const repository = findProject(root);
  if (!repository.git || repository.root !== root) return new Map();
  try {
    await updateHistory(repository, dex.paths.history, {
      progress: (done) => context.progress?.(done, done, "commits"),
    });
  } catch (error) {
    // The rest of the answer needs no git.
    if (!(error instanceof DexError)) throw error;
    context.notice?.(`${error.message} What changed together is not counted.`);
    return new Map();
  }
  const history = openHistory(historyPath(dex.paths.history, repository));
  try {
    const partners = coChanges(history, file, MOST_PARTNERS).filter(({ path }) => existsSync(join(root, path)));
    return new Map(partners.map((partner) => [partner.path, partner]));
  } finally {
    history.close();
  }
}

export function changeEvidence(partners: ReadonlyMap<string, Partner>): Evidence {
  return () =>
    new Map(
      Array.from(partners, ([path, { support, confidence, score }]) => [
        path,
        {
          weight: WEIGHT * Math.min(1, score),
          why: `changed with it in ${plural(support, "commit")}, ${Math.round(confidence * 100)}% of its own`,
        },
      ]),
    );
}
