/** Finds test files that probably test a definition or file to which the graph leads no test. */
import { reach } from "../../code/answers/reach.ts";
import { scopeOf } from "../../code/answers/relations.ts";
import type { Target } from "../../code/answers/target.ts";
import { MAX_BYTES } from "../../code/listing/skip.ts";
import { readContainedText } from "../../kernel/files/bounded_read.ts";
import type { CodeReader } from "../../store/code.ts";
import type { ChangeHistory } from "../changes.ts";
import type { ChangedFile } from "./changed_files.ts";
import { rankedTests, type TestToRun, testEvidence } from "./tests_to_run.ts";

const MAX_TESTS = 5;

/** Uses the evidence that a change of all its lines would give. */
export function likelyTests(
  root: string,
  store: CodeReader,
  target: Target,
  commits: ChangeHistory | undefined,
): TestToRun[] {
  const { reached } = reach(store, scopeOf(store, target));
  const files = Array.from(
    Map.groupBy(target.symbols, ({ path }) => path),
    ([path, symbols]): ChangedFile => ({
      path,
      oldPath: path,
      oldText: undefined,
      newText: readContainedText(root, path, MAX_BYTES),
      oldLines: [],
      newLines: symbols.map(({ first_line, last_line }) => ({ first: first_line, last: last_line })),
    }),
  );
  const evidence = testEvidence({ root, store, files, subject: "it", symbols: target.symbols, reached, commits });
  return rankedTests(evidence.map((each) => ({ ...each, isChanged: false }))).slice(0, MAX_TESTS);
}
