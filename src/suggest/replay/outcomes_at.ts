/** Replays one moment of the past with the stores of today, of which it hides everything later. */
import type { Dex } from "../../dex.ts";
import { chanceIn, combinedChance } from "../combine.ts";
import type { Evidence, ProjectView } from "../evidence.ts";
import { casesOf, type ReplayedCase } from "./cases.ts";
import type { Diffs } from "./diffs.ts";
import type { Outcome } from "./fit_shifts.ts";
import type { Moment } from "./moments.ts";
import { hasWord } from "./outcomes.ts";
import { historyBefore, type PastSources, viewAt } from "./past_view.ts";
import { commitQuestions, sessionQuestions } from "./questions.ts";

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
    const view = withoutNewSymbols(viewAt(past, activity, time), moment, diffs);
    const cases = await casesOf(view, question, commit, diffs);
    // Chances of documents are low in every project, and true.
    found.push(cases.filter(({ type }) => type !== "doc"));
  }
  return found;
}

/** The code graph is that of today: definitions that the commit itself added were not there before it. */
function withoutNewSymbols(view: ProjectView, { commit }: Moment, diffs: Diffs): ProjectView {
  const diff = commit && diffs.of(commit.sha);
  if (!diff) return view;
  const isNew = (path: string, name: string): boolean =>
    hasWord(diff.added.get(path) ?? "", name) && !hasWord(diff.removed.get(path) ?? "", name);
  const symbols = view.focus.symbols.filter(({ path, name }) => !isNew(path, name));
  return { ...view, focus: { ...view.focus, symbols } };
}

/** The outcomes of one question: items of a type share a weight of 1. */
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
