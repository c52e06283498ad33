/**
 * Runners that dex knows mainly by their summary (`12 passing`, `Tests run: 5, Failures: 0`): it says whether the run
 * passed, and where the output lists failures in a fixed form, which tests failed.
 */
import type { TestOutcome } from "../../store/history_records.ts";

interface SummaryRunner {
  name: string;
  /** Groups `total` or `all`, `passed`, `failed` and `parts` (named counts), each optional. Sections are added up. */
  summary: RegExp;
  /** A failed test, in group `name`; `file` is optional. */
  failure?: RegExp;
}

export const SUMMARY_RUNNERS: readonly SummaryRunner[] = [
  {
    name: "deno test",
    summary: /^(?:ok|FAILED) \| (?<passed>\d+) passed(?: \([^)]*\))? \| (?<failed>\d+) failed/gm,
    failure: /^(?<name>.+?) => (?:file:\/\/)?(?<file>\S+?\.[cm]?[jt]sx?):\d+:\d+$/gm,
  },
  {
    name: "unittest",
    summary: /^Ran (?<total>\d+) tests? in [\d.]+s\n\n(?:OK|NO TESTS RAN|FAILED \((?<parts>[^)]*)\))/gm,
    failure: /^(?:FAIL|ERROR): (?<name>\w+) \([\w.]+\)/gm,
  },
  {
    name: "mocha",
    summary: /^ {2}(?<passed>\d+) passing\b[^\n]*(?:\n {2}\d+ pending)?(?:\n {2}(?<failed>\d+) failing)?/gm,
    failure: /^ {2}\d+\) (?<name>[^\n]+(?:\n {7,}[^\n]+?)*?):\n/gm,
  },
  {
    name: "playwright",
    summary: /^ {2}(?:(?<failed>\d+) failed|(?<passed>\d+) passed \([\d.]+m?s\))$/gm,
    failure: /^ {4}(?:\[\w+\] › )?(?<file>\S+\.[cm]?[jt]sx?):\d+:\d+ › (?<name>[^\n]+?) ─*$/gm,
  },
  {
    name: "rspec",
    summary: /^(?<total>\d+) examples?, (?<failed>\d+) failures?/gm,
    failure: /^rspec (?<file>\.\/\S+?):\d+ # (?<name>.+)$/gm,
  },
  {
    name: "phpunit",
    summary: /^(?:OK \((?<total>\d+) tests?,|Tests: (?<all>\d+), Assertions: \d+(?:, (?<parts>[^.]+))?)/gm,
    failure: /^\d+\) (?<name>\S+::\S+)/gm,
  },
  {
    name: "dotnet test",
    summary: /^(?:Passed|Failed)! +- Failed: +(?<failed>\d+), Passed: +(?<passed>\d+)/gm,
    failure: /^ {2}Failed (?<name>\S+) \[/gm,
  },
  {
    name: "junit",
    summary:
      /^(?:\[\w+\] )?Tests run: (?<total>\d+), (?<parts>Failures: \d+, Errors: \d+)(?!.*(?:Time elapsed|- in ))/gm,
    failure: /^(?:\[ERROR\] )?(?<name>[\w.]+?)(?:\([\w.]+\))? .*<<< (?:FAILURE|ERROR)!/gm,
  },
  {
    name: "gradle",
    summary: /^(?<total>\d+) tests completed, (?<failed>\d+) failed/gm,
    failure: /^(?<name>\S+ > .+) FAILED$/gm,
  },
];

/** The first runner whose summary is in the text. */
export function summaryRunner(text: string): SummaryRunner | undefined {
  return SUMMARY_RUNNERS.find(({ summary }) => text.search(summary) >= 0);
}

const MAX_FAILURES = 1000;

export function summaryOutcomes({ summary, failure }: SummaryRunner, text: string): Partial<TestOutcome>[] {
  let total = 0;
  let failed = 0;
  for (const { groups = {} } of text.matchAll(summary)) {
    const broken = Number(groups.failed ?? 0) + brokenIn(groups.parts ?? "");
    failed += broken;
    total += Number(groups.total ?? groups.all ?? Number(groups.passed ?? 0) + broken);
  }
  const found: Partial<TestOutcome>[] = [];
  const known = new Set<string>();
  for (const { groups = {} } of failed > 0 && failure ? text.matchAll(failure) : []) {
    const name = (groups.name ?? "").replaceAll(/\s*\n\s*/g, " > ").trim();
    const file = groups.file ?? null;
    if (name === "" || known.has(`${file} ${name}`) || known.size >= MAX_FAILURES) continue;
    known.add(`${file} ${name}`);
    found.push({ name, file, status: "failed" });
  }
  return [{ status: failed > 0 ? "failed" : "passed", total }, ...found];
}

/** `failures=1, errors=2`, `Failures: 1, Skipped: 3` */
function brokenIn(parts: string): number {
  let count = 0;
  for (const match of parts.matchAll(/\b(?:failures|errors)(?:=|: )(\d+)/gi)) count += Number(match[1]);
  return count;
}
