/** Parses `go test` output, plain (`--- FAIL: TestX (0.01s)`) and with -json. */

import { asObject, asString, parseJson } from "../../kernel/json.ts";
import { ownMember } from "../../kernel/own_member.ts";
import type { TestOutcome, TestStatus } from "../../store/history_records.ts";

const PLAIN =
  /^(?:\s*--- (?:PASS|FAIL|SKIP): \S+ \([\d.]+s\)|(?:ok|FAIL) {1,}?\t\S+\t(?:[\d.]+s|\(cached\)|\[build failed\]).*)$/m;
const JSON_LINE = /^\{"Time":"[^"]+","Action":"/m;

export function isGo(text: string): boolean {
  return PLAIN.test(text) || JSON_LINE.test(text) || /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/m.test(text);
}

const ACTIONS: Readonly<Record<string, TestStatus>> = { pass: "passed", fail: "failed", skip: "skipped" };
const WORDS: Readonly<Record<string, TestStatus>> = { PASS: "passed", FAIL: "failed", SKIP: "skipped" };

export function goOutcomes(text: string): Partial<TestOutcome>[] {
  return JSON_LINE.test(text) ? jsonOutcomes(text) : plainOutcomes(text);
}

/** The package is used as the file. Subtests have their own outcomes. */
function jsonOutcomes(text: string): Partial<TestOutcome>[] {
  const found: Partial<TestOutcome>[] = [];
  const output = new Map<string, string>();
  for (const line of text.split("\n")) {
    if (!line.startsWith("{")) continue;
    const event = asObject(parseJson(line));
    const file = asString(event.Package) ?? null;
    const name = asString(event.Test) ?? null;
    const key = `${file} ${name}`;
    const action = asString(event.Action) ?? "";
    if (action === "output") {
      const printed = asString(event.Output) ?? "";
      if (/^\s+\S+\.go:\d+: /.test(printed) && !output.has(key)) output.set(key, printed.trim());
    }
    const status = ownMember(ACTIONS, action);
    if (status) found.push({ file, name, status, message: output.get(key) ?? null });
  }
  return found;
}

function plainOutcomes(text: string): Partial<TestOutcome>[] {
  const found: Partial<TestOutcome>[] = [];
  let open: Partial<TestOutcome>[] = [];
  for (const line of text.split("\n")) {
    const test = /^\s*--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)/.exec(line);
    if (test) open.push({ name: test[2] ?? "", status: WORDS[test[1] ?? ""] ?? "failed" });
    const message = /^\s+(\S+_test\.go:\d+: .*)$/.exec(line)?.[1];
    const last = open.at(-1);
    if (message && last && last.message === undefined) last.message = message;
    const end = /^(ok|FAIL)\s+(\S+)\s+(?:[\d.]+s|\(cached\)|\[build failed\])/.exec(line);
    if (!end) continue;
    const file = end[2] ?? "";
    found.push(...open.map((each) => ({ ...each, file })), { file, status: end[1] === "ok" ? "passed" : "failed" });
    open = [];
  }
  return [...found, ...open];
}
