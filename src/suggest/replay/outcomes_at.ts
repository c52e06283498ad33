/** Replays one moment of the past with the stores of today, of which it hides everything later. */
import type { Dex } from "../../dex.ts";
import { chanceIn, combinedChance } from "../combine.ts";
import type { Evidence } from "../evidence.ts";
import type { ItemType } from "../model.ts";
import { casesOf, type ReplayedCase } from "./cases.ts";
import type { Diffs } from "./diffs.ts";
import type { Outcome } from "./fit_shifts.ts";
import type { Moment } from "./moments.ts";
import { historyBefore, type PastSources, viewAt } from "./past_view.ts";
import { commitQuestions, sessionQuestions } from "./questions.ts";

/**
 * Types whose chances are not shifted: those of documents hold in every project, and too few prompts of one project
 * name a definition.
 */
const AS_IN_ALL_PROJECTS: ReadonlySet<ItemType> = new Set(["doc", "related_code"]);

/** The cases of each question of the moment. The history and the decisions of `sources` are those of today. */
export async function replayedAt(
  dex: Dex,
  sources: PastSources,
  moment: Moment,
  diffs: Diffs,
): Promise<ReplayedCase[][]> {
  const { repository } = sources;
  const { commit, session, time } = moment;
  if (commit) await diffs.load([commit.sha]);
  const questions = [
    ...(commit ? commitQuestions(commit, repository.root) : []),
    ...(session ? sessionQuestions(dex, session, repository) : []),
  ];
  const past = {
    ...sources,
    history: historyBefore(sources.history, time),
    decisions: sources.decisions.filter((decision) => decision.time < time),
  };
  const found: ReplayedCase[][] = [];
  for (const question of questions) {
    const activity = { folder: repository.root, recent: [], ...question.about };
    const cases = await casesOf(viewAt(past, activity, time), question, commit, diffs);
    found.push(cases.filter(({ type }) => !AS_IN_ALL_PROJECTS.has(type)));
  }
  return found;
}

/** The outcomes of one question, where items of a type share a weight of 1. */
export function outcomesOf(cases: readonly ReplayedCase[], chance: (evidence: Evidence) => number = chanceIn({})) {
  const counts = new Map<string, number>();
  for (const { type } of cases) counts.set(type, (counts.get(type) ?? 0) + 1);
  return cases.flatMap(({ type, evidence, useful }): Outcome[] => {
    const whole = evidence.map((each): Evidence => ({ ...each, reason: "" }));
    const [best] = whole.toSorted((a, b) => chance(b) - chance(a));
    const weight = 1 / (counts.get(type) ?? 1);
    return best ? [{ kind: best.kind, chance: combinedChance(whole, chance), useful, weight }] : [];
  });
}
