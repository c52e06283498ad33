/** Suggests decisions in force about the focus files, symbols or prompt. */

import { type Decision, isOwn } from "../../decisions/decision.ts";
import { SAVED_DECISION_PLACE } from "../../decisions/known.ts";
import { quoteLine } from "../../redact/quote.ts";
import type { Candidate, Evidence, ProjectView } from "../evidence.ts";
import { chanceOf } from "../scale.ts";
import { decisionText } from "../view/stored_findings.ts";
import { wordCoverage } from "../words.ts";

/** Scores of decisions range from about 3 (a sentence that resembles one) to 10 (a decision record). */
const MAX_DECISION_SCORE = 10;
const MIN_COVERED = 0.2;
/** Enough to come first among decisions with the same evidence. */
const RECORDED_LEAD = 0.02;
/** Wording a decision takes longer than finding it, and no answer has this many. */
const MAX_CANDIDATES = 20;

export function relatedDecisions(view: ProjectView): Candidate[] {
  const { focus, activity } = view;
  const all = view.decisions();
  const covered = activity.prompt === undefined ? undefined : wordCoverage(activity.prompt, all, decisionText);
  const related = all.flatMap((decision, i) => {
    const evidence = [...byFile(view, decision), ...bySymbol(focus.names, decision)];
    const share = covered?.[i] ?? 0;
    if (share >= MIN_COVERED) {
      evidence.push({ kind: "decision_words", strength: share, share: 1, reason: "about what the prompt asks" });
    }
    return evidence.length > 0 ? [{ decision, evidence }] : [];
  });
  return recordedFirst(related)
    .sort((a, b) => likeliest(b.evidence) - likeliest(a.evidence) || b.decision.time - a.decision.time)
    .slice(0, MAX_CANDIDATES)
    .map(({ decision, evidence }) => candidate(decision, evidence));
}

interface Related {
  decision: Decision;
  evidence: Evidence[];
}

/** A recorded decision that is related at all is at least as strong, in each kind of evidence, as any that was found. */
function recordedFirst(related: readonly Related[]): Related[] {
  const strongest = new Map<Evidence["kind"], number>();
  for (const { decision, evidence } of related) {
    if (isOwn(decision)) continue;
    for (const { kind, strength } of evidence) strongest.set(kind, Math.max(strongest.get(kind) ?? 0, strength));
  }
  return related.map(({ decision, evidence }) => ({
    decision,
    evidence: isOwn(decision)
      ? evidence.map((each) => ({
          ...each,
          strength: Math.min(1, Math.max(each.strength, (strongest.get(each.kind) ?? 0) + RECORDED_LEAD)),
        }))
      : evidence,
  }));
}

function likeliest(evidence: readonly Evidence[]): number {
  return Math.max(...evidence.map(({ kind, strength, share }) => chanceOf(kind, strength) * share));
}

function byFile({ focus }: ProjectView, { files, score }: Decision): Evidence[] {
  const file = focus.files.find(({ path }) => files.includes(path));
  if (!file) return [];
  const strength = score / MAX_DECISION_SCORE / Math.max(1, Math.log2(1 + files.length));
  return [{ kind: "decision_file", strength, share: file.share, reason: `decided about ${file.path}` }];
}

function bySymbol(names: readonly string[], { symbols, score }: Decision): Evidence[] {
  const name = names.find((each) => symbols.includes(each));
  return name === undefined
    ? []
    : [{ kind: "decision_symbol", strength: score / MAX_DECISION_SCORE, share: 1, reason: `decided about ${name}` }];
}

function candidate(
  { id, text, because, alternatives, place, status, time }: Decision,
  evidence: Evidence[],
): Candidate {
  const why = because === null ? "" : ` Because: ${because}`;
  const not = alternatives.length === 0 ? "" : ` Not taken: ${alternatives.join(", ")}.`;
  const mark = status === "proposed" ? " (proposed)" : "";
  return {
    type: "decision",
    entityId: `decision:${id}`,
    title: `Decision${mark}: ${quoteLine(text, 80)}`,
    summary: quoteLine(`${text}${why}${not}`, 300),
    actionUrl: place === SAVED_DECISION_PLACE ? `decision:${id}` : place,
    time,
    evidence,
  };
}
