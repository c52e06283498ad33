/**
 * The last outcome of each test. A run in which all tests passed also covers a test that failed before, if it was at
 * least as large as that failed run, or is about the same file.
 */
import type { SeenOutcome } from "../../store/history.ts";

export function latestOutcomes(outcomes: readonly SeenOutcome[]): SeenOutcome[] {
  const state = new Map<string, SeenOutcome>();
  const ordered = outcomes
    .map((each, order) => ({ each, order }))
    .sort((a, b) => a.each.time - b.each.time || a.order - b.order)
    .map(({ each }) => each);
  for (const each of ordered) {
    if (each.name !== null) {
      // A runner may name the file in one run and omit it in another.
      const key = [`${each.file ?? ""}\0${each.name}`, `\0${each.name}`].find((known) => state.has(known));
      state.set(key ?? `${each.file ?? ""}\0${each.name}`, {
        ...each,
        file: each.file ?? state.get(key ?? "")?.file ?? null,
      });
      continue;
    }
    if (each.status !== "passed") continue;
    for (const [key, known] of state) {
      if (known.status === "failed" && known.time < each.time && covers(each, known)) {
        state.set(key, { ...known, status: "passed", message: null, place: each.place, time: each.time });
      }
    }
  }
  return [...state.values()];
}

function covers(run: SeenOutcome, test: SeenOutcome): boolean {
  if (run.runner !== test.runner) return false;
  if (run.file !== null) return run.file === test.file;
  return run.total !== null && test.total !== null && run.total >= test.total;
}
