/** Reads the findings that `findings.ts` stored with the history, for callers that cannot wait. */
import type { Decision } from "../../decisions/decision.ts";
import { knownDecisions, ownDecision } from "../../decisions/known.ts";
import { projectKey } from "../../history/repository.ts";
import { parseJson } from "../../kernel/json.ts";
import type { OpenRepository } from "../../project/repository.ts";
import { TERMS_OF_LIST } from "../../store/history.ts";
import type { OwnDecision, Verdict } from "../../store/recorded.ts";
import type { StateStore } from "../../store/state.ts";
import type { DeprecatedUse } from "../evidence.ts";
import { type TermIndex, useTermIndex } from "../words.ts";

export const FINDING_KEYS = {
  decisions: "suggest_decisions",
  /** The words of the decisions: the name tells the store to delete it with any item of the list. */
  decisionTerms: `suggest_decisions${TERMS_OF_LIST}`,
  deprecated: "suggest_deprecated",
} as const;
export const MAX_STORED_DECISIONS = 2000;

export interface Findings {
  decisions: readonly Decision[];
  deprecated: readonly DeprecatedUse[];
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
    deprecated: listIn<DeprecatedUse>(open, FINDING_KEYS.deprecated) ?? [],
  };
}

function storedDecisions(
  open: ProjectHistory,
  notes: { own: readonly OwnDecision[]; verdicts: ReadonlyMap<string, Verdict> },
  wantsTerms: boolean,
): Decision[] {
  const known = listIn<Decision>(open, FINDING_KEYS.decisions);
  if (known && wantsTerms) {
    const terms = listIn<TermIndex[number]>(open, FINDING_KEYS.decisionTerms);
    if (terms) useTermIndex(known, terms);
  }
  if (!known)
    return knownDecisions(open.repository, open.history, notes).filter(inForce).slice(0, MAX_STORED_DECISIONS);
  const ids = new Set(known.map(({ id }) => id));
  const own = notes.own.filter(({ id }) => !ids.has(id)).map(ownDecision);
  return [...own, ...known].filter(({ id }) => {
    const verdict = notes.verdicts.get(id)?.status;
    return verdict === undefined || verdict === "accepted";
  });
}

/** The text of a decision that is compared with a prompt. */
export function decisionText({ text, because, alternatives, files, symbols }: Decision): string {
  return [text, because ?? "", ...alternatives, ...files, ...symbols].join(" ");
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
