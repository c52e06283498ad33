/**
 * What suggestions need and takes long to find: decisions in force, failing tests, deprecated code in use. Found when
 * an answer may wait, kept with the history, and read from there when it may not.
 */
import { SHOWN } from "../decisions/cues.ts";
import type { Decision } from "../decisions/decision.ts";
import type { Dex } from "../dex.ts";
import { findDeprecations, usersByText } from "../history/deprecations.ts";
import { latestOutcomes } from "../history/outcomes/latest.ts";
import { insidePath } from "../history/repository.ts";
import { withHistoryWriter } from "../history/update.ts";
import { DexError } from "../kernel/errors.ts";
import { parseJson } from "../kernel/json.ts";
import type { CodeReader } from "../store/code.ts";
import type { HistoryReader, SeenOutcome, Verdict } from "../store/history.ts";
import type { StateStore } from "../store/sqlite/state.ts";
import type { Deprecated } from "../suggest/evidence.ts";
import { decisionsOf, notesKey } from "./decision_sources.ts";
import { usersIn } from "./history_code.ts";
import type { RunContext } from "./operation.ts";
import type { OpenRepository } from "./repository.ts";
import { testsOf } from "./tests.ts";

const DECISIONS = "suggest_decisions";
const DEPRECATED = "suggest_deprecated";
const MOST_DECISIONS = 2000;
const MOST_DEPRECATED = 300;
const MOST_USERS = 50;

export interface Derived {
  decisions: readonly Decision[];
  deprecated: readonly Deprecated[];
}

/** Looks at everything, and keeps it for those who cannot wait. */
export async function findDerived(
  dex: Dex,
  open: OpenRepository,
  graph: CodeReader | undefined,
  context: RunContext,
): Promise<Derived> {
  const decisions = (await decisionsOf(dex, open, context)).filter(inForce).slice(0, MOST_DECISIONS);
  // Brings what conversations said of tests up to date; the results themselves are read when they are needed.
  await testsOf(dex, open, context);
  const deprecated = await deprecatedIn(open, graph);
  const texts: [string, string][] = [
    [DECISIONS, JSON.stringify(decisions)],
    [DEPRECATED, JSON.stringify(deprecated)],
  ];
  if (texts.some(([key, text]) => open.history.getValue(key) !== text)) {
    await withHistoryWriter(open.repository, dex.paths.history, (writer) => {
      for (const [key, text] of texts) writer.setValue(key, text);
      writer.commit();
    });
  }
  return { decisions, deprecated };
}

/** As the last look left it; what a person noted since is added. */
export function keptDerived(open: OpenRepository, state: StateStore | undefined): Derived {
  const known = listIn<Decision>(open, DECISIONS) ?? storedDecisions(open.history);
  const notes = {
    own: state?.decisions.own(notesKey(open)) ?? [],
    verdicts: state?.decisions.verdicts(notesKey(open)) ?? new Map<string, Verdict>(),
  };
  const ids = new Set(known.map(({ id }) => id));
  const own = notes.own
    .filter(({ id }) => !ids.has(id))
    .map(
      (each): Decision => ({
        ...each,
        origin: "user",
        owner: "",
        place: "dex decide",
        score: 10,
        status: "accepted",
        superseded_by: null,
        shown: true,
      }),
    );
  const standing = [...own, ...known].filter(({ id }) => {
    const verdict = notes.verdicts.get(id)?.status;
    return verdict === undefined || verdict === "accepted";
  });
  return { decisions: standing, deprecated: listIn<Deprecated>(open, DEPRECATED) ?? [] };
}

/** What commits and conversations said, where nobody has looked at it as a whole yet. */
function storedDecisions(history: HistoryReader): Decision[] {
  return history
    .decisions()
    .map((each): Decision => ({ ...each, superseded_by: null, shown: each.score >= SHOWN }))
    .filter(inForce)
    .slice(0, MOST_DECISIONS);
}

function inForce({ shown, status }: Decision): boolean {
  return shown && (status === "accepted" || status === "proposed");
}

/** Tests that failed when they were last seen, by what is stored. */
export function failingTests(open: OpenRepository, state: StateStore | undefined): SeenOutcome[] {
  const imported = state?.tests.all(notesKey(open)) ?? [];
  const seen = open.history.outcomes().map((each) => relative(open, each));
  return latestOutcomes([...imported, ...seen])
    .filter(({ status, name }) => status === "failed" && name !== null)
    .sort((a, b) => b.time - a.time || (`${a.file} ${a.name}` < `${b.file} ${b.name}` ? -1 : 1));
}

function relative(open: OpenRepository, each: SeenOutcome): SeenOutcome {
  if (each.file === null || !each.file.startsWith("/")) return each;
  return { ...each, file: insidePath(open.repository, each.file, open.repository.root) ?? each.file };
}

async function deprecatedIn(open: OpenRepository, graph: CodeReader | undefined): Promise<Deprecated[]> {
  const { repository } = open;
  try {
    const found = (await findDeprecations(repository)).slice(0, MOST_DEPRECATED);
    const names = found.flatMap(({ symbol }) => symbol ?? []);
    const users = await usersByText(repository, names);
    return found.flatMap((each): Deprecated[] => {
      const { symbol, file, line, message } = each;
      if (symbol === undefined) return [];
      const said = users.get(symbol) ?? [];
      const known = graph && usersIn(graph, each, said);
      const others = (known ?? said).filter((user) => user !== file).slice(0, MOST_USERS);
      return others.length === 0 ? [] : [{ symbol, file, line, message, users: others, sure: known !== undefined }];
    });
  } catch (error) {
    // A tree too large to look through in time, or no git: the rest is still told.
    if (error instanceof DexError) return [];
    throw error;
  }
}

/** By repository and key: a server reads the same list for every call. */
const parsed = new Map<string, { text: string; list: unknown[] }>();
const MOST_PARSED = 20;

/** Lists that this program wrote. */
function listIn<T>({ history, repository }: OpenRepository, key: string): readonly T[] | undefined {
  const text = history.getValue(key);
  if (text === undefined) return undefined;
  const name = `${repository.gitDir} ${key}`;
  const known = parsed.get(name);
  if (known?.text === text) return known.list as T[];
  const value = parseJson(text);
  if (!Array.isArray(value)) return undefined;
  const list: unknown[] = value;
  if (parsed.size >= MOST_PARSED) parsed.clear();
  parsed.set(name, { text, list });
  return list as T[];
}
