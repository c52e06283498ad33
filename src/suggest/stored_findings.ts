/** What suggestions need and was found before (`suggest_derived.ts`), as it is kept with the history: read at once. */
import type { Decision } from "../decisions/decision.ts";
import { knownDecisions, ownDecision } from "../decisions/known.ts";
import { latestOutcomes } from "../history/outcomes/latest.ts";
import { insidePath } from "../history/repository.ts";
import { parseJson } from "../kernel/json.ts";
import type { OpenRepository } from "../project/repository.ts";
import type { OwnDecision, SeenOutcome, Verdict } from "../store/history.ts";
import type { StateStore } from "../store/sqlite/state/state.ts";
import type { Deprecated } from "./evidence.ts";

/** Under these keys the lists stand. */
export const KEPT = { decisions: "suggest_decisions", deprecated: "suggest_deprecated" } as const;
export const MOST_KEPT_DECISIONS = 2000;

export interface Derived {
  decisions: readonly Decision[];
  deprecated: readonly Deprecated[];
}

type Kept = Pick<OpenRepository, "repository" | "history">;

/** As the last look left it; what a person noted since is added. */
export function keptDerived(open: Kept, state: StateStore | undefined): Derived {
  const notes = {
    own: state?.decisions.own(open.repository.commonDir) ?? [],
    verdicts: state?.decisions.verdicts(open.repository.commonDir) ?? new Map<string, Verdict>(),
  };
  return { decisions: keptDecisions(open, notes), deprecated: listIn<Deprecated>(open, KEPT.deprecated) ?? [] };
}

function keptDecisions(
  open: Kept,
  notes: { own: readonly OwnDecision[]; verdicts: ReadonlyMap<string, Verdict> },
): Decision[] {
  const known = listIn<Decision>(open, KEPT.decisions);
  if (!known) return knownDecisions(open.repository, open.history, notes).filter(inForce).slice(0, MOST_KEPT_DECISIONS);
  const ids = new Set(known.map(({ id }) => id));
  const own = notes.own.filter(({ id }) => !ids.has(id)).map(ownDecision);
  return [...own, ...known].filter(({ id }) => {
    const verdict = notes.verdicts.get(id)?.status;
    return verdict === undefined || verdict === "accepted";
  });
}

export function inForce({ shown, status }: Decision): boolean {
  return shown && (status === "accepted" || status === "proposed");
}

/** Tests that failed when they were last seen, by what is stored. */
export function failingTests(open: Kept, state: StateStore | undefined): SeenOutcome[] {
  const imported = state?.tests.all(open.repository.commonDir) ?? [];
  const seen = open.history.outcomes().map((each) => relative(open, each));
  return latestOutcomes([...imported, ...seen])
    .filter(({ status, name }) => status === "failed" && name !== null)
    .sort((a, b) => b.time - a.time || (`${a.file} ${a.name}` < `${b.file} ${b.name}` ? -1 : 1));
}

function relative(open: Kept, each: SeenOutcome): SeenOutcome {
  if (each.file === null || !each.file.startsWith("/")) return each;
  return { ...each, file: insidePath(open.repository, each.file, open.repository.root) ?? each.file };
}

/** By repository and key: a server reads the same list for every call. */
const parsed = new Map<string, { text: string; list: unknown[] }>();
const MOST_PARSED = 20;

/** Lists that this program wrote. */
function listIn<T>({ history, repository }: Kept, key: string): readonly T[] | undefined {
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
