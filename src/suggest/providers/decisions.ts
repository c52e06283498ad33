/** Suggests decisions in force about the focus files, symbols or prompt. */

import type { Decision } from "../../decisions/decision.ts";
import { SAVED_DECISION_PLACE } from "../../decisions/known.ts";
import { quoteLine } from "../../redact/quote.ts";
import type { Candidate, Evidence, ProjectView } from "../evidence.ts";
import { type Origin, originOf } from "../origins.ts";
import { wordCoverage } from "../words.ts";

/** Scores of decisions range from about 3 (a sentence that resembles one) to 10 (a decision record). */
const MAX_DECISION_SCORE = 10;
const MIN_COVERED = 0.2;

export function relatedDecisions(view: ProjectView): Candidate[] {
  const { focus, activity } = view;
  const all = view.decisions();
  const covered = activity.prompt === undefined ? undefined : wordCoverage(activity.prompt, all, textOf);
  return all.flatMap((decision, i) => {
    const evidence = [...byFile(view, decision), ...bySymbol(focus.names, decision)];
    const share = covered?.[i] ?? 0;
    if (share >= MIN_COVERED) {
      evidence.push({ kind: "decision_words", strength: share, share: 1, reason: "about what the prompt asks" });
    }
    return evidence.length > 0 ? [candidate(view, decision, evidence)] : [];
  });
}

function textOf({ text, because, alternatives, files, symbols }: Decision): string {
  return [text, because ?? "", ...alternatives, ...files, ...symbols].join(" ");
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

function candidate(view: ProjectView, decision: Decision, evidence: Evidence[]): Candidate {
  const { id, text, because, alternatives, place, status, time } = decision;
  const why = because === null ? "" : ` Because: ${because}`;
  const not = alternatives.length === 0 ? "" : ` Not taken: ${alternatives.join(", ")}.`;
  const mark = status === "proposed" ? " (proposed)" : "";
  return {
    type: "decision",
    entityId: `decision:${id}`,
    title: `Decision${mark}: ${quoteLine(text, 80)}`,
    summary: quoteLine(`${text}${why}${not}`, 300),
    actionUrl: place,
    origin: () => sourceOf(view, decision),
    time,
    evidence,
  };
}

function sourceOf(view: ProjectView, decision: Decision): Origin {
  if (decision.place === SAVED_DECISION_PLACE) {
    return { from: "recorded by dex decide", address: `decision:${decision.id}` };
  }
  return originOf(decision, view);
}
