/**
 * Calibrates the chances of suggestions to a project by replaying its past: dex computes what it would have suggested
 * at the latest commits and in the latest sessions, with only the knowledge of that time, and compares this with what
 * the work did next. Weights that were fitted on other projects are too high in some projects and too low in others;
 * the resulting shifts correct that.
 *
 * A refresh replays only new moments, the latest first, for a few seconds at most. The outcomes are stored as numbers
 * alone: no text, and no name of a conversation.
 */
import type { Dex } from "../../dex.ts";
import { storeDerived } from "../../history/update.ts";
import { contentId } from "../../kernel/ids.ts";
import { asArray, asObject, parseJson } from "../../kernel/json.ts";
import type { OpenRepository } from "../../project/repository.ts";
import type { RunContext } from "../../run_context.ts";
import type { CodeReader } from "../../store/code.ts";
import { EVIDENCE_KINDS, SCALE } from "../scale.ts";
import { storedFindings } from "../view/stored_findings.ts";
import { Diffs } from "./diffs.ts";
import { fitShifts, type Outcome } from "./fit_shifts.ts";
import { type Moment, momentsOf } from "./moments.ts";
import { outcomesOf, replayedAt } from "./outcomes_at.ts";
import { memoizedHistory, memoizedIndex } from "./past_view.ts";
import { SHIFTS_KEY } from "./stored_shifts.ts";

const OUTCOMES_KEY = "suggest_replay";
/** Limits of one refresh: its time, the new moments it replays, and the outcomes stored for each. */
const MAX_REPLAY_MS = 5000;
const MAX_NEW_MOMENTS = 60;
const MAX_OUTCOMES_EACH = 40;

/** Outcomes by the moment's name. */
type Replayed = Map<string, Outcome[]>;

export async function prepareShifts(
  dex: Dex,
  open: OpenRepository,
  graph: CodeReader | undefined,
  context: RunContext,
): Promise<void> {
  const { history, repository } = open;
  const moments = momentsOf(dex, open);
  const known = storedOutcomes(history.getValue(OUTCOMES_KEY));
  const pending = moments.filter(({ name }) => !known.has(name)).slice(0, MAX_NEW_MOMENTS);
  if (pending.length === 0) return;
  const sources = {
    settings: dex.settings,
    index: memoizedIndex(dex.store),
    history: memoizedHistory(history),
    decisions: storedFindings(open, undefined).decisions,
    repository,
    graph,
  };
  const diffs = new Diffs(repository.root);
  const begin = performance.now();
  for (const [at, moment] of pending.entries()) {
    if (at > 0 && performance.now() - begin > MAX_REPLAY_MS) break;
    const cases = await replayedAt(dex, sources, moment, diffs);
    known.set(moment.name, cases.flatMap((each) => outcomesOf(each)).slice(0, MAX_OUTCOMES_EACH));
    context.progress?.(at + 1, pending.length, "past work");
  }
  const kept = moments.flatMap((moment): [Moment, Outcome[]][] => {
    const outcomes = known.get(moment.name);
    return outcomes ? [[moment, outcomes]] : [];
  });
  const shifts = fitShifts(kept.flatMap(([, outcomes]) => outcomes));
  await storeDerived(repository, dex.paths.history, (writer) => {
    writer.setValue(OUTCOMES_KEY, written(kept));
    writer.setValue(SHIFTS_KEY, JSON.stringify(shifts));
    writer.commit();
  });
}

/** Raise it with every change to what counts as a case, or as useful. */
const OUTCOME_RULES = 2;
/** A new scale, as in a new version of dex, gives other chances, so everything is replayed again. */
const SCALE_ID = contentId(JSON.stringify([OUTCOME_RULES, SCALE]));

function written(kept: readonly [Moment, Outcome[]][]): string {
  const rows = kept.map(([{ name }, outcomes]) => [
    name,
    outcomes.map(({ kind, chance, useful, weight }) => [
      EVIDENCE_KINDS.indexOf(kind),
      rounded(chance),
      useful ? 1 : 0,
      rounded(weight),
    ]),
  ]);
  return JSON.stringify({ scale: SCALE_ID, moments: Object.fromEntries(rows) });
}

function storedOutcomes(text: string | undefined): Replayed {
  const { scale, moments } = asObject(parseJson(text ?? "{}"));
  const found: Replayed = new Map();
  if (scale !== SCALE_ID) return found;
  for (const [name, rows] of Object.entries(asObject(moments))) {
    const outcomes = asArray(rows).flatMap((row): Outcome[] => {
      const [at, chance, useful, weight] = asArray(row).map(Number);
      const kind = EVIDENCE_KINDS[at ?? -1];
      return kind && chance !== undefined && weight !== undefined
        ? [{ kind, chance, useful: useful === 1, weight }]
        : [];
    });
    found.set(name, outcomes);
  }
  return found;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
