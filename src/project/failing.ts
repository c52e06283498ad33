/**
 * The failing tests of a project, as a list that is ready before a hook needs it: folding thousands of outcomes takes
 * longer than a hook may. Every command that changes outcomes prepares the list again; dex never uses a list of other
 * outcomes.
 */
import type { Dex } from "../dex.ts";
import { latestOutcomes } from "../history/outcomes/latest.ts";
import { insidePath, projectKey, type Repository } from "../history/repository.ts";
import { withHistoryWriter } from "../history/update.ts";
import { parseJson } from "../kernel/json.ts";
import type { HistoryReader, SeenOutcome, TestNotes } from "../store/history.ts";

const LIST_KEY = "failing_tests";
/** The outcomes that the list was made of. */
const BASIS_KEY = "failing_tests_of";
const MAX_STORED = 500;

interface TestSources {
  repository: Repository;
  history: HistoryReader;
  /** Undefined if no state was ever written. */
  imported: TestNotes | undefined;
}

/** Tests whose last known outcome is a failure, the latest first. */
export function failingTests(sources: TestSources): SeenOutcome[] {
  const { history } = sources;
  const text = history.getValue(BASIS_KEY) === basisOf(sources) ? history.getValue(LIST_KEY) : undefined;
  const list = text === undefined ? undefined : parseJson(text);
  return Array.isArray(list) ? (list as unknown as SeenOutcome[]) : foldOutcomes(sources);
}

/** Makes the list of `failingTests` and stores it, unless another process is writing the history. */
export async function prepareFailingTests(
  dex: Dex,
  { repository, history }: Omit<TestSources, "imported">,
): Promise<void> {
  const prepare = (reader: HistoryReader): [key: string, value: string][] => {
    const listOf = (imported: TestNotes | undefined): [string, string][] => {
      const sources = { repository, history: reader, imported };
      return [
        [LIST_KEY, JSON.stringify(foldOutcomes(sources))],
        [BASIS_KEY, basisOf(sources)],
      ];
    };
    return dex.hasState ? dex.withState((state) => listOf(state.tests)) : listOf(undefined);
  };
  if (prepare(history).every(([key, value]) => history.getValue(key) === value)) return;
  await withHistoryWriter(repository, dex.paths.history, (writer) => {
    for (const [key, value] of prepare(writer)) writer.setValue(key, value);
    writer.commit();
  });
}

function foldOutcomes(sources: TestSources): SeenOutcome[] {
  const { repository, history, imported } = sources;
  const seen = history.outcomes().map((each) => relativeOutcome(repository, each));
  return latestOutcomes([...(imported?.all(projectKey(repository)) ?? []), ...seen])
    .filter(({ status, name }) => status === "failed" && name !== null)
    .sort((a, b) => b.time - a.time || (`${a.file} ${a.name}` < `${b.file} ${b.name}` ? -1 : 1))
    .slice(0, MAX_STORED);
}

/** Changes with the outcomes of conversations, and with those that a person imported, here or in another worktree. */
function basisOf({ repository, history, imported }: TestSources): string {
  return `${history.outcomeRevision()} ${imported?.revision(projectKey(repository)) ?? ""}`;
}

/** Makes paths relative to the root: the same test has the same file in every worktree. */
export function relativeOutcome<T extends { file: string | null }>(repository: Repository, each: T): T {
  if (each.file === null || !each.file.startsWith("/")) return each;
  return { ...each, file: insidePath(repository, each.file, repository.root) ?? each.file };
}
