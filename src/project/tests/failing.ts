/**
 * The failing tests of a project, as a list that is ready before a hook needs it: finding out what fails today takes
 * longer than a hook may. A refresh prepares the list. Once other outcomes are known, dex no longer uses it: a test that
 * passed meanwhile must not be called failing.
 */
import type { Dex } from "../../dex.ts";
import { historyPath } from "../../history/place.ts";
import { projectKey, type Repository } from "../../history/repository.ts";
import { withHistoryWriter } from "../../history/update.ts";
import { parseJson } from "../../kernel/json.ts";
import type { RunContext } from "../../run_context.ts";
import type { CodeReader } from "../../store/code.ts";
import { openHistory } from "../../store/engine/history.ts";
import type { HistoryReader } from "../../store/history.ts";
import type { SeenOutcome } from "../../store/history_records.ts";
import type { TestNotes } from "../../store/state/recorded.ts";
import type { OpenRepository } from "../repository.ts";
import { failingTestsOf } from "./tests.ts";

const LIST_KEY = "failing_tests";
/** The revision of the outcomes from which the list was made. */
const BASIS_KEY = "failing_tests_of";
const MAX_STORED = 200;

interface TestSources {
  repository: Repository;
  history: HistoryReader;
  /** Undefined if no state was ever written. */
  imported: TestNotes | undefined;
}

/** The tests that failed at the last refresh, the latest first; empty if outcomes were added or removed since. */
export function failingTests(sources: TestSources): SeenOutcome[] {
  const { history } = sources;
  const text = history.getValue(BASIS_KEY) === basisOf(sources) ? history.getValue(LIST_KEY) : undefined;
  const list = text === undefined ? undefined : parseJson(text);
  return Array.isArray(list) ? (list as unknown as SeenOutcome[]) : [];
}

/** Makes the list of `failingTests` and stores it. */
export async function prepareFailingTests(
  dex: Dex,
  open: OpenRepository,
  graph: CodeReader | undefined,
  context: RunContext,
): Promise<void> {
  const { repository } = open;
  const list = JSON.stringify((await failingTestsOf(dex, open, graph, context)).slice(0, MAX_STORED));
  // Finding them may have added outcomes, so the basis is read afterwards.
  const history = openHistory(historyPath(dex.paths.history, repository));
  try {
    const basis = dex.hasState
      ? dex.withState((state) => basisOf({ repository, history, imported: state.tests }))
      : basisOf({ repository, history, imported: undefined });
    if (history.getValue(LIST_KEY) === list && history.getValue(BASIS_KEY) === basis) return;
    await withHistoryWriter(repository, dex.paths.history, (writer) => {
      writer.setValue(LIST_KEY, list);
      writer.setValue(BASIS_KEY, basis);
      writer.commit();
    });
  } finally {
    history.close();
  }
}

/** Changes with the outcomes of conversations, and with those that a person imported, here or in another worktree. */
function basisOf({ repository, history, imported }: TestSources): string {
  return `${history.outcomeRevision()} ${imported?.revision(projectKey(repository)) ?? ""}`;
}
