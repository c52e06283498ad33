/** Reads the findings that `findings.ts` stored with the history, for callers that cannot wait. */
import type { Decision } from "../../decisions/decision.ts";
import { knownDecisions, ownDecision } from "../../decisions/known.ts";
import { projectKey } from "../../history/repository.ts";
import { isObject, parseJson } from "../../kernel/json.ts";
import type { DeprecatedCode } from "../../project/deprecations/deprecations.ts";
import type { OpenRepository } from "../../project/repository.ts";
import { TERMS_OF_LIST } from "../../store/history.ts";
import type { OwnDecision, Verdict } from "../../store/state/recorded.ts";
import type { StateStore } from "../../store/state/state.ts";
import { type TermIndex, termIndex, useTermIndex, wording } from "../words.ts";

export const FINDING_KEYS = {
  decisions: "suggest_decisions",
  /** The words of the decisions. The name tells the store to delete the value together with any item of the list. */
  decisionTerms: `suggest_decisions${TERMS_OF_LIST}`,
  deprecated: "suggest_deprecated",
} as const;
export const MAX_STORED_DECISIONS = 2000;

export interface Findings {
  decisions: readonly Decision[];
  deprecated: readonly DeprecatedCode[];
}

type ProjectHistory = Pick<OpenRepository, "repository" | "history">;

/**
 * The findings of the last run, plus decisions and verdicts a person added since. `wantsTerms`: the decisions will be
 * compared with the words of a prompt.
 */
export function storedFindings(open: ProjectHistory, state: StateStore | undefined, wantsTerms = false): Findings {
  const notes = {
    own: state?.decisions.own(projectKey(open.repository)) ?? [],
    verdicts: state?.decisions.verdicts(projectKey(open.repository)) ?? new Map<string, Verdict>(),
  };
  return {
    decisions: storedDecisions(open, notes, wantsTerms),
    deprecated: listIn<DeprecatedCode>(open, FINDING_KEYS.deprecated) ?? [],
  };
}

function storedDecisions(
  open: ProjectHistory,
  notes: { own: readonly OwnDecision[]; verdicts: ReadonlyMap<string, Verdict> },
  wantsTerms: boolean,
): Decision[] {
  const known = listIn<Decision>(open, FINDING_KEYS.decisions);
  if (known && wantsTerms) useStoredTerms(open, known);
  if (!known)
    return knownDecisions(open.repository, open.history, notes).filter(inForce).slice(0, MAX_STORED_DECISIONS);
  const ids = new Set(known.map(({ id }) => id));
  const own = notes.own.filter(({ id }) => !ids.has(id)).map(ownDecision);
  return [...own, ...known].filter(({ id }) => {
    const verdict = notes.verdicts.get(id)?.status;
    return verdict === undefined || verdict === "accepted";
  });
}

/** The subject of a decision. Of a long decision record only the title counts: its text has many words by chance. */
export const DECISION_SUBJECT = wording(({ origin, text }: Decision) =>
  origin === "adr" ? (text.split(": ")[0] ?? text) : text,
);

/** The value under `FINDING_KEYS.decisionTerms`. */
export function storedTerms(decisions: readonly Decision[]): string {
  return JSON.stringify({ subject: termIndex(decisions, DECISION_SUBJECT) });
}

/** Reuses the stored terms. A server has the same list on every call, and then the same terms as well. */
function useStoredTerms({ history }: ProjectHistory, decisions: readonly Decision[]): void {
  const [first] = decisions;
  if (!first || DECISION_SUBJECT.analysed.has(first)) return;
  const terms = parseJson(history.getValue(FINDING_KEYS.decisionTerms) ?? "");
  if (isObject(terms) && Array.isArray(terms.subject))
    useTermIndex(decisions, terms.subject as TermIndex, DECISION_SUBJECT);
}

export function inForce({ shown, status }: Decision): boolean {
  return shown && (status === "accepted" || status === "proposed");
}

/** By repository and key: a server reads the same list on every call. */
const parsed = new Map<string, { text: string; list: unknown[] }>();
const MAX_CACHED_LISTS = 20;

/** Parses a list this program wrote. */
function listIn<T>({ history, repository }: ProjectHistory, key: string): readonly T[] | undefined {
  const text = history.getValue(key);
  if (text === undefined) return undefined;
  const name = `${repository.gitDir} ${key}`;
  const known = parsed.get(name);
  if (known?.text === text) return known.list as T[];
  const value = parseJson(text);
  if (!Array.isArray(value)) return undefined;
  const list: unknown[] = value;
  if (parsed.size >= MAX_CACHED_LISTS) parsed.clear();
  parsed.set(name, { text, list });
  return list as T[];
}
