/**
 * Parses test outcomes from the output of a runner. A runner is recognised by lines that only it writes; other output
 * gives no outcomes.
 */
import { redactText } from "../../redact/redact.ts";
import type { TestOutcome, TestStatus } from "../../store/history_records.ts";
import { bunOutcomes, isBun } from "./bun.ts";
import { cargoOutcomes, isCargo } from "./cargo.ts";
import { goOutcomes, isGo } from "./go.ts";
import { summaryOutcomes, summaryRunner } from "./summaries.ts";
import { isTap, tapOutcomes } from "./tap.ts";

const MAX_OUTPUT_CHARS = 8 << 20;
const MAX_OUTCOMES = 20_000;
const MAX_NAME_CHARS = 500;
const MAX_MESSAGE_CHARS = 500;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal are control characters
const COLOURS = /\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007]*\u0007/g;

export interface ParsedReport {
  runner: string;
  outcomes: TestOutcome[];
}

interface Runner {
  name: string;
  /** Recognises a line that only this runner writes. */
  is(text: string): boolean;
  read(text: string): Partial<TestOutcome>[];
}

const RUNNERS: readonly Runner[] = [
  { name: "go test", is: isGo, read: goOutcomes },
  { name: "cargo test", is: isCargo, read: cargoOutcomes },
  { name: "bun test", is: isBun, read: bunOutcomes },
  { name: "tap", is: isTap, read: tapOutcomes },
  { name: "node:test", is: (text) => /^ℹ (?:tests|pass|fail) \d+$/m.test(text), read: nodeOutcomes },
  {
    name: "vitest",
    is: (text) => /^\s*(?:Test Files|Tests) {2,}(?:\d+ \w+(?: \| )?)+ ?\(\d+\)/m.test(text),
    read: vitestOutcomes,
  },
  { name: "jest", is: (text) => /^Tests: +(?:\d+ \w+, )*\d+ total$/m.test(text), read: jestOutcomes },
  {
    name: "pytest",
    is: (text) =>
      /^=*\s?(?:\d+ \w+(?:, )?)+ in [\d.]+s(?: \([\d:]+\))?\s?=*$/m.test(text) ||
      /^=+ test session starts =+$/m.test(text),
    read: pytestOutcomes,
  },
];

/** Undefined if no runner is recognised. */
export function parseOutcomes(output: string): ParsedReport | undefined {
  const text = withoutTaskNames(output.slice(-MAX_OUTPUT_CHARS).replace(COLOURS, "").replaceAll("\r\n", "\n"));
  const runner = RUNNERS.find((each) => each.is(text)) ?? runnerBySummary(text);
  if (!runner) return undefined;
  const outcomes = runner
    .read(text)
    .slice(0, MAX_OUTCOMES)
    .map((each) => outcome(runner.name, each));
  return { runner: runner.name, outcomes: withTotals(outcomes) };
}

function runnerBySummary(text: string): Runner | undefined {
  const known = summaryRunner(text);
  return known && { name: known.name, is: () => true, read: (given) => summaryOutcomes(known, given) };
}

const TASK_NAME =
  /^(?:\[[\w:./@-]{0,60}test[\w:./@-]{0,60}\]|[\w:./@-]{1,120}:test(?::\w{1,40})?:|[\w./@-]{1,120} test(?::\w{1,40})?:) ?/gm;

/** Task runners write the task before each line: `[test] ok …`, `web:test: ok …`, `packages/a test: ok …`. */
function withoutTaskNames(text: string): string {
  return text.replaceAll(TASK_NAME, "");
}

export function outcome(runner: string, given: Partial<TestOutcome>): TestOutcome {
  return {
    runner,
    file: given.file ? clean(given.file) : null,
    name: given.name === undefined || given.name === null ? null : clean(given.name).slice(0, MAX_NAME_CHARS),
    status: given.status ?? "passed",
    message: given.message ? clean(given.message.trim()).slice(0, MAX_MESSAGE_CHARS) : null,
    total: given.total ?? null,
  };
}

function clean(text: string): string {
  return redactText(text, "printed").text;
}

/** Adds the size of its run to each test: a later run of at least that size that passes includes the test. */
export function withTotals(outcomes: readonly TestOutcome[]): TestOutcome[] {
  const run = outcomes.find(({ name, file }) => name === null && file === null);
  return outcomes.map((each) => ({ ...each, total: each.total ?? run?.total ?? null }));
}

function runOf(failed: number, total: number): Partial<TestOutcome> {
  return { status: failed > 0 ? "failed" : "passed", total };
}

/** The spec reporter: `✖ name (3.2ms)`, nested by two spaces; failures are repeated below with their location. */
function nodeOutcomes(text: string): Partial<TestOutcome>[] {
  const count = (what: string): number => Number(new RegExp(`^ℹ ${what} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
  const [tree = "", details = ""] = text.split(/^✖ failing tests:$/m);
  const files = new Map<string, { file: string; message: string }>();
  for (const match of details.matchAll(/^test at ([^\n]+?):\d+:\d+\n✖ (.+?) \([\d.]+ms\)\n\s*([^\n]*)/gm)) {
    files.set(match[2] ?? "", { file: match[1] ?? "", message: match[3] ?? "" });
  }
  const found: Partial<TestOutcome>[] = [runOf(count("fail"), count("tests"))];
  for (const match of tree.matchAll(/^ *([✔✖﹣]) (.+?) \([\d.]+ms\)(?: # (\w+).*)?$/gm)) {
    const [, mark, name = "", directive] = match;
    const status: TestStatus = directive || mark === "﹣" ? "skipped" : mark === "✖" ? "failed" : "passed";
    found.push({ name, status, ...(status === "failed" ? files.get(name) : {}) });
  }
  return found;
}

function vitestOutcomes(text: string): Partial<TestOutcome>[] {
  const found: Partial<TestOutcome>[] = [];
  const summary = /^\s*Tests {2,}(.+?) ?\((\d+)\)/m.exec(text);
  if (summary) found.push(runOf(Number(/(\d+) failed/.exec(summary[1] ?? "")?.[1] ?? 0), Number(summary[2])));
  for (const match of text.matchAll(
    /^ *[✓✔] (?:\|[^|]+\| )?(\S+\.[cm]?[jt]sx?) \(\d+ tests?(?: \| \d+ skipped)?\)/gm,
  )) {
    found.push({ file: match[1] ?? "", status: "passed" });
  }
  for (const match of text.matchAll(/^ *FAIL {2}(?:\|[^|]+\| )?(\S+) > (.+)\n(?:([A-Za-z]*Error: [^\n]+))?/gm)) {
    found.push({ file: match[1] ?? "", name: match[2] ?? "", status: "failed", message: match[3] ?? null });
  }
  for (const match of text.matchAll(/^ *[✓✔] (?:\|[^|]+\| )?(\S+\.[cm]?[jt]sx?) > (.+?)(?: \d+m?s)?$/gm)) {
    found.push({ file: match[1] ?? "", name: match[2] ?? "", status: "passed" });
  }
  return found;
}

function jestOutcomes(text: string): Partial<TestOutcome>[] {
  const found: Partial<TestOutcome>[] = [];
  const summary = /^Tests: +(.*?)(\d+) total$/m.exec(text);
  found.push(runOf(Number(/(\d+) failed/.exec(summary?.[1] ?? "")?.[1] ?? 0), Number(summary?.[2] ?? 0)));
  let file: string | undefined;
  for (const line of text.split("\n")) {
    const head = /^(PASS|FAIL) +(\S+\.[cm]?[jt]sx?)/.exec(line);
    if (head) {
      file = head[2];
      if (head[1] === "PASS") found.push({ file: head[2] ?? "", status: "passed" });
    }
    const failed = /^ {2}● (.+)$/.exec(line)?.[1];
    if (failed && !/^(?:Console|Test suite failed to run)$/.test(failed)) {
      const known = found.some((each) => each.name === failed && each.file === file);
      if (!known) found.push({ file: file ?? null, name: failed, status: "failed" });
    }
  }
  return found;
}

const PYTEST: Readonly<Record<string, TestStatus>> = {
  PASSED: "passed",
  FAILED: "failed",
  ERROR: "failed",
  SKIPPED: "skipped",
  XFAIL: "skipped",
  XPASS: "passed",
};

function pytestOutcomes(text: string): Partial<TestOutcome>[] {
  const found: Partial<TestOutcome>[] = [];
  const summary = /^=*\s?((?:\d+ \w+(?:, )?)+) in [\d.]+s(?: \([\d:]+\))?\s?=*$/m.exec(text)?.[1];
  if (summary !== undefined) {
    const count = (what: string): number => Number(new RegExp(`(\\d+) ${what}`).exec(summary)?.[1] ?? 0);
    const failed = count("failed") + count("error");
    found.push(runOf(failed, failed + count("passed") + count("skipped")));
  }
  const seen = new Set<string>();
  const add = (id: string, word: string, message: string | null): void => {
    const [file = "", ...names] = id.split("::");
    if (seen.has(`${word} ${id}`)) return;
    seen.add(`${word} ${id}`);
    found.push({ file, name: names.join("::") || null, status: PYTEST[word] ?? "failed", message });
  };
  for (const match of text.matchAll(/^(FAILED|ERROR) ([^\s:]+\.py(?:::\S+)?)(?: - (.*))?$/gm)) {
    add(match[2] ?? "", match[1] ?? "", match[3] ?? null);
  }
  for (const match of text.matchAll(/^([^\s:]+\.py::\S+?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b/gm)) {
    add(match[1] ?? "", match[2] ?? "", null);
  }
  return found;
}
