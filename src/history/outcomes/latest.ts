/**
 * The state of each test by its latest run in any form: a run that names the test, a run of its file or package, or a
 * run of a whole suite that names no tests. A later run that may have included a failed test and does not name it makes
 * its state unknown, unless that run is known to have passed with it.
 */
import type { SeenOutcome, TestStatus } from "../../store/history_records.ts";
import { mayInclude } from "./commands.ts";

export interface TestState extends Omit<SeenOutcome, "status"> {
  name: string;
  status: TestStatus | "unknown";
  /** Why the state of a test that failed is unknown. */
  why: string | null;
}

export function latestStates(outcomes: readonly SeenOutcome[]): TestState[] {
  const ordered = outcomes
    .map((each, order) => ({ each, order }))
    .sort((a, b) => a.each.time - b.each.time || a.order - b.order)
    .map(({ each }) => each);
  const runs = ordered.filter(({ name }) => name === null);
  return lastOfEach(ordered).map((test) => (test.status === "failed" ? afterRuns(test, runs) : test));
}

/** A runner may name the file in one run and omit it in another, or name it from another folder. */
function lastOfEach(ordered: readonly SeenOutcome[]): TestState[] {
  const byName = new Map<string, TestState[]>();
  for (const { name, ...each } of ordered) {
    if (name === null) continue;
    const same = byName.get(name) ?? [];
    const at = same.findIndex(({ file }) => isSameFile(file, each.file));
    const file = each.file ?? same[at]?.file ?? null;
    const state: TestState = { ...each, name, file, why: null };
    if (at < 0) same.push(state);
    else if (!(same[at] && isAfter(same[at], state))) same[at] = state;
    byName.set(name, same);
  }
  return [...byName.values()].flat();
}

function afterRuns(test: TestState, runs: readonly SeenOutcome[]): TestState {
  let state = test;
  for (const run of runs) {
    if (!isAfter(run, test) || !mayHaveRun(run, test)) continue;
    const { place, time, owner } = run;
    if (run.status === "passed" && includes(run, test)) {
      state = { ...test, status: "passed", message: null, place, time, owner };
    } else if (state.status !== "passed") {
      state = { ...test, status: "unknown", why: `a later run (${place}) may have included it and does not name it` };
    }
  }
  return state;
}

/** Within a conversation the order of messages decides: not every agent records times. */
export function isAfter(
  a: Pick<SeenOutcome, "owner" | "place" | "time">,
  b: Pick<SeenOutcome, "owner" | "place" | "time">,
): boolean {
  if (a.owner !== "" && a.owner === b.owner) return indexOf(a.place) > indexOf(b.place);
  return a.time > b.time;
}

function indexOf(place: string): number {
  return Number(place.slice(place.lastIndexOf("#") + 1));
}

function mayHaveRun(run: SeenOutcome, test: TestState): boolean {
  if (!isSameRunner(run.runner, test.runner)) return false;
  if (run.file !== null) return isSameFile(run.file, test.file);
  if (!mayInclude(run.scope ?? null, test)) return false;
  // A smaller run may be of another package.
  const smaller = run.total !== null && test.total !== null && run.total < test.total;
  return !smaller || (run.folder !== undefined && run.folder === test.folder);
}

/** Whether a run that passed surely had this test. */
function includes(run: SeenOutcome, test: TestState): boolean {
  if (run.runner !== test.runner) return false;
  if (run.file !== null) return test.file !== null;
  return run.total !== null && test.total !== null ? run.total >= test.total : (run.scope ?? null) === null;
}

/** A script may start any runner, and so may the tool that wrote JUnit XML. */
const ANY_RUNNER = new Set(["command", "junit"]);
const SAME = new Set(["tap", "node:test"]);

function isSameRunner(a: string, b: string): boolean {
  return a === b || ANY_RUNNER.has(a) || ANY_RUNNER.has(b) || (SAME.has(a) && SAME.has(b));
}

export function isSameFile(a: string | null, b: string | null): boolean {
  if (a === null || b === null || a === b) return true;
  return a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
}
