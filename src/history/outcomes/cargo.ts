/** Parses `cargo test` output: `test store::tests::opens ... FAILED` below the crate or file that runs. */
import type { TestOutcome, TestStatus } from "../../store/history_records.ts";

const RESULT = /^test result: (ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored/;
const TEST = /^test (\S+(?: - .+?)?(?: \(line \d+\))?) \.\.\. (ok|FAILED|ignored)\b/;
const RUNNING = /^\s*(?:Running (?:unittests )?(\S+\.rs)|Doc-tests (\S+))/;
const PANIC = /^thread '([^']+)'(?: \(\d+\))? panicked at (.+)$/;
const WORDS: Readonly<Record<string, TestStatus>> = { ok: "passed", FAILED: "failed", ignored: "skipped" };

export function isCargo(text: string): boolean {
  return /^test result: (?:ok|FAILED)\. \d+ passed; \d+ failed;/m.test(text) || /^test \S+ \.\.\. FAILED$/m.test(text);
}

export function cargoOutcomes(text: string): Partial<TestOutcome>[] {
  const found: Partial<TestOutcome>[] = [];
  const lines = text.split("\n");
  let file: string | null = null;
  let total = 0;
  let failed = 0;
  for (const [i, line] of lines.entries()) {
    const running = RUNNING.exec(line);
    if (running) file = running[1] ?? null;
    const test = TEST.exec(line);
    if (test) found.push({ file, name: test[1] ?? "", status: WORDS[test[2] ?? ""] ?? "failed" });
    const panic = PANIC.exec(line);
    const broken = panic && found.findLast(({ name, status }) => status === "failed" && name === panic[1]);
    if (broken) broken.message ??= /:\d+:\d+:$/.test(panic[2] ?? "") ? (lines[i + 1] ?? "") : (panic[2] ?? null);
    const result = RESULT.exec(line);
    if (!result) continue;
    total += Number(result[2]) + Number(result[3]);
    failed += Number(result[3]);
    if (result[1] === "ok" && file !== null) found.push({ file, status: "passed" });
  }
  const anyFailed = failed > 0 || found.some(({ status }) => status === "failed");
  return [{ status: anyFailed ? "failed" : "passed", ...(total > 0 ? { total } : {}) }, ...found];
}
