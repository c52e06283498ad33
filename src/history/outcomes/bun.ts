/** Parses `bun test` output: `(fail) suite > name [1.20ms]` below a line with the file, and a summary at the end. */
import type { TestOutcome, TestStatus } from "../../store/history_records.ts";

const SUMMARY = /^Ran (\d+) tests? across \d+ files?\./m;
const TEST = /^(?:\((pass|fail|skip|todo)\)|([✓✗»✎])) (.+?)(?: \[[\d.]+m?s\])?$/;
const FILE = /^(\S+\.[cm]?[jt]sx?):$/;
const MARKS: Readonly<Record<string, TestStatus>> = {
  pass: "passed",
  "✓": "passed",
  fail: "failed",
  "✗": "failed",
};
const ERROR = /^\s*(?:error|[A-Za-z]*Error): (.+)$/;

export function isBun(text: string): boolean {
  return SUMMARY.test(text) || /^\((?:pass|fail)\) .+ \[[\d.]+m?s\]$/m.test(text);
}

export function bunOutcomes(text: string): Partial<TestOutcome>[] {
  const found: Partial<TestOutcome>[] = [];
  const failedFiles = new Set<string>();
  const files = new Set<string>();
  let file: string | null = null;
  let message: string | null = null;
  for (const line of text.split("\n")) {
    // Failures are repeated at the end, without their files.
    if (/^\d+ tests? failed:$/.test(line)) break;
    const head = FILE.exec(line)?.[1];
    if (head !== undefined) {
      file = head;
      files.add(head);
    }
    message = ERROR.exec(line)?.[1] ?? message;
    const test = TEST.exec(line);
    if (!test) continue;
    const status = MARKS[test[1] ?? test[2] ?? ""] ?? "skipped";
    found.push({ file, name: test[3] ?? "", status, ...(status === "failed" ? { message } : {}) });
    if (status === "failed" && file !== null) failedFiles.add(file);
    message = null;
  }
  const count = (what: string): number => Number(new RegExp(`^ *(\\d+) ${what}$`, "m").exec(text)?.[1] ?? 0);
  const failed = count("fail") + count("errors?");
  const total = SUMMARY.exec(text)?.[1];
  const named = found.filter(({ status }) => status === "failed");
  const run: Partial<TestOutcome> = {
    status: failed + named.length > 0 ? "failed" : "passed",
    ...(total === undefined ? {} : { total: Number(total) }),
  };
  // Without its summary the output was truncated, and the last file may go on.
  if (total === undefined && file !== null) files.delete(file);
  const passedFiles = failed > named.length ? [] : [...files].filter((each) => !failedFiles.has(each));
  return [run, ...found, ...passedFiles.map((each) => ({ file: each, status: "passed" as const }))];
}
