/**
 * The tests that fail today. A failure of an earlier run counts only if it happened in this working tree, the test still
 * exists, and nothing that it covers changed since; otherwise its state is unknown.
 */
import type { TestState } from "./latest.ts";

/** The facts about the working tree that decide whether a failure still counts. */
export interface TreeToday {
  /** Whether a run in this folder was of this working tree. */
  isHere(folder: string): boolean;
  /** The files that define the test now; undefined if it is gone. */
  filesOf(test: TestState): readonly string[] | undefined;
  /** The first change found, since the test ran, to what it covers, in words; undefined if there is none. */
  changeSince(test: TestState, files: readonly string[]): string | undefined;
}

/** Failures examined in one call, the latest first; older ones stay unknown. */
const MAX_EXAMINED = 200;

/** Judges the failures among the last states of tests. The result has the latest first. */
export function testsToday(states: readonly TestState[], today: TreeToday): TestState[] {
  let examined = 0;
  return [...states]
    .sort((a, b) => b.time - a.time || (`${a.file} ${a.name}` < `${b.file} ${b.name}` ? -1 : 1))
    .map((test) => {
      if (test.status !== "failed") return test;
      examined += 1;
      const why = examined > MAX_EXAMINED ? "too many other failures are newer" : doubt(test, today);
      return why === undefined ? test : { ...test, status: "unknown" as const, why };
    });
}

function doubt(test: TestState, today: TreeToday): string | undefined {
  if (test.folder !== undefined && !today.isHere(test.folder))
    return `it ran in ${test.folder}, not in this working tree`;
  const files = today.filesOf(test);
  if (files === undefined) return "the test no longer exists";
  return today.changeSince(test, files);
}
