/** Suggests decisions in force about the focus files, symbols or prompt. */
import { type Decision, isOwn } from "../../decisions/decision.ts";
import { recorderOf, SAVED_DECISION_PLACE } from "../../decisions/known.ts";
import { quoteLine } from "../../redact/quote.ts";
import { commitBaseRate } from "../base_rates.ts";
import { chanceIn, combinedChance } from "../combine.ts";
import type { Candidate, Evidence, ProjectView } from "../evidence.ts";
import { decisionText } from "../facts.ts";
import { type Origin, originOf } from "../origins.ts";
import { fullness, nonFunctionWords } from "../prompt_content.ts";
import { chanceOf } from "../scale.ts";
import { DECISION_SUBJECT } from "../view/stored_findings.ts";
import { type WordMatch, wordMatches } from "../words.ts";

/** Scores of decisions range from about 3 (a sentence that resembles one) to 10 (a decision record). */
const MAX_DECISION_SCORE = 10;
/** The share of the prompt's words, by rarity, that a decision must have. */
const MIN_SHARED = 0.08;
/** Formatting a decision takes longer than finding it, and no answer has so many. */
const MAX_CANDIDATES = 20;
/** Decisions that a person recorded deliberately. */
const STATED: ReadonlySet<Decision["origin"]> = new Set(["user", "adr", "trailer"]);

export function relatedDecisions(view: ProjectView): Candidate[] {
  const { activity } = view;
  const all = view.decisions();
  const chance = chanceIn(view.shifts);
  const { prompt } = activity;
  const matches = prompt === undefined ? undefined : wordMatches(nonFunctionWords(prompt), all, DECISION_SUBJECT);
  const related = all.flatMap((decision, i) => {
    const evidence = [...byFile(view, decision), ...bySymbol(view, decision)];
    const match = matches?.[i];
    if (match && match.share >= MIN_SHARED) evidence.push(byWords(view, decision, match));
    return evidence.length > 0 ? [{ decision, evidence, chance: combinedChance(evidence, chance) }] : [];
  });
  return related
    .sort((a, b) => b.chance - a.chance || b.decision.time - a.decision.time)
    .slice(0, MAX_CANDIDATES)
    .map(({ decision, evidence }) => candidate(view, decision, evidence));
}

function byFile(view: ProjectView, decision: Decision): Evidence[] {
  const file = view.focus.files.find(({ path }) => decision.files.includes(path));
  if (!file) return [];
  const reason = `decided about ${file.path}`;
  if (STATED.has(decision.origin)) return [stated(decision, file.share, reason)];
  const share = file.share * (isIncidental(decision, file.path) ? INCIDENTAL_SHARE : 1);
  return [
    {
      kind: "decision_file",
      strength: 0,
      features: featuresOf(view, decision),
      share: share * standing(decision),
      reason,
    },
  ];
}

/** Files that commits change along with the code they are about. */
const ACCOMPANIES = /\.(?:md|mdx|rst|adoc|txt|lock|sum)$|(?:^|\/)(?:[\w.-]+-lock\.(?:json|yaml)|CHANGES|CHANGELOG)$/i;
const INCIDENTAL_SHARE = 0.5;

/** Whether the decision's commit changed the file, although the decision does not name it and is about other files. */
function isIncidental({ text, files }: Decision, path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return ACCOMPANIES.test(path) && !text.includes(name) && files.some((file) => !ACCOMPANIES.test(file));
}

/** The weight of a proposal in a conversation that no commit has carried out. */
const PROPOSED_SHARE = 0.5;

function standing({ status, origin }: Decision): number {
  return status === "proposed" && origin === "conversation" ? PROPOSED_SHARE : 1;
}

function bySymbol(view: ProjectView, decision: Decision): Evidence[] {
  const name = view.focus.names.find((each) => decision.symbols.includes(each));
  if (name === undefined) return [];
  const reason = `decided about ${name}`;
  if (STATED.has(decision.origin)) return [stated(decision, 1, reason)];
  const features = featuresOf(view, decision);
  return [{ kind: "decision_symbol", strength: 0, features, share: standing(decision), reason }];
}

/** The likeness assumed without a model: the middle of the judged pairs. */
const MIDDLE_LIKENESS = 0.4;
/**
 * A decision that would stay below this chance even with a high likeness is not compared, which saves a hook's time.
 */
const MIN_COMPARED_CHANCE = 0.3;
const HIGH_LIKENESS = 0.8;
const MAX_REASON_WORDS = 4;

function byWords(
  { activity, likeness }: ProjectView,
  decision: Decision,
  { share, rarest, words }: WordMatch,
): Evidence {
  const kind = STATED.has(decision.origin) ? "decision_stated_words" : "decision_words";
  // A prompt with little content shares its few words with many decisions.
  const features = { subject: share * fullness(activity.prompt ?? ""), rarest, likeness: HIGH_LIKENESS };
  const isCompared = chanceOf(kind, 0, features) >= MIN_COMPARED_CHANCE;
  features.likeness = (isCompared ? likeness(DECISION_SUBJECT.textOf(decision)) : null) ?? MIDDLE_LIKENESS;
  const reason = `shares words with the prompt: ${words.slice(0, MAX_REASON_WORDS).join(", ")}`;
  return { kind, strength: 0, features, share: standing(decision), reason };
}

/** A decision about many files says less about each, unless a person recorded it with dex. */
function stated(decision: Decision, share: number, reason: string): Evidence {
  const spread = isOwn(decision) ? 1 : Math.max(1, Math.log2(1 + decision.files.length));
  const strength = decision.score / MAX_DECISION_SCORE / spread;
  return { kind: "decision_stated", strength, share, reason };
}

function featuresOf(view: ProjectView, { files, symbols }: Decision): Record<string, number> {
  return {
    symbols: symbols.length > 0 ? 1 : 0,
    usual: files.length === 0 ? 0 : commitBaseRate(view, files),
  };
}

function candidate(view: ProjectView, decision: Decision, evidence: Evidence[]): Candidate {
  const { id, text, place, status, time } = decision;
  const mark = status === "proposed" ? " (proposed)" : "";
  return {
    type: "decision",
    entityId: `decision:${id}`,
    title: () => `Decision${mark}: ${quoteLine(text, 80)}`,
    summary: () => quoteLine(decisionText(decision), 300),
    actionUrl: place,
    origin: () => sourceOf(view, decision),
    time,
    evidence,
  };
}

function sourceOf(view: ProjectView, decision: Decision): Origin {
  if (decision.place === SAVED_DECISION_PLACE) {
    return { from: `recorded by ${recorderOf(decision)}`, address: `decision:${decision.id}` };
  }
  return originOf(decision, view);
}
