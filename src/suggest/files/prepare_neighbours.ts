/**
 * Prepares the likely files of a project's files, beginning with those that recent work touched. In a large project it
 * covers only a part; for the rest, dex computes them on demand: a hook from changes alone, other callers from the code
 * as well.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Dex } from "../../dex.ts";
import { storeDerived } from "../../history/update.ts";
import { type ChangeHistory, commitChanges, conversationChanges } from "../../project/changes.ts";
import type { OpenRepository } from "../../project/repository.ts";
import type { CodeReader } from "../../store/code.ts";
import { likelyFiles } from "./likely.ts";
import { BASIS_KEY } from "./prepared_neighbours.ts";

const MAX_FILES = 1000;
const MAX_COMMITS = 200;
const MAX_CONVERSATIONS = 100;
/** Less likely files are never shown. */
const MIN_CHANCE = 0.02;

/** Prepares the lists, unless nothing has changed since the last time. */
export async function prepareNeighbours(dex: Dex, open: OpenRepository, code: CodeReader | undefined): Promise<void> {
  const { repository, history } = open;
  const basis = [repository.head, history.commitCount(), code?.files().length, dex.store.getValue("last_sync")].join(
    " ",
  );
  if (history.getValue(BASIS_KEY) === basis) return;
  const exists = (path: string): boolean => existsSync(join(repository.root, path));
  const commits = commitChanges(history);
  const conversations = conversationChanges(repository, dex.store);
  const sources = { ...(code ? { code } : {}), commits, conversations, exists };
  const rest = code?.files().map(({ path }) => path) ?? [];
  const lists = [...new Set([...recentFiles(commits, conversations), ...rest])]
    .filter(exists)
    .slice(0, MAX_FILES)
    .map((file): [path: string, list: string] => {
      const likely = likelyFiles({ files: [file], ...sources }).filter(({ probability }) => probability >= MIN_CHANCE);
      return [file, JSON.stringify(likely)];
    });
  await storeDerived(repository, dex.paths.history, (writer) => {
    writer.setNeighbours(lists);
    writer.setValue(BASIS_KEY, basis);
    writer.commit();
  });
}

/** Files of the latest conversations and commits, the latest first. */
function recentFiles(commits: ChangeHistory, conversations: ChangeHistory): string[] {
  const edited = conversations.latest(MAX_CONVERSATIONS).flatMap(({ files }) => files);
  return [...edited, ...commits.latest(MAX_COMMITS).flatMap(({ files }) => files)];
}
