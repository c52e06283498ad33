/** Parses JUnit XML, which nearly every test runner can write. */
import { Parser } from "htmlparser2";
import type { TestOutcome } from "../../store/history_records.ts";
import { outcome, type ParsedReport, withTotals } from "./text.ts";

const MAX_OUTCOMES = 20_000;

export function isJunit(text: string): boolean {
  return /^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*<testsuites?\b/.test(text.slice(0, 4096));
}

export function parseJunit(text: string): ParsedReport {
  const found: TestOutcome[] = [];
  let open: Partial<TestOutcome> | undefined;
  let failed = 0;
  let failureText = "";
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        if (tag === "testcase") open = caseOf(attributes);
        if (!open) return;
        if (tag === "failure" || tag === "error") {
          open.status = "failed";
          open.message = attributes.message ?? null;
          failureText = "";
        }
        if (tag === "skipped") open.status = "skipped";
      },
      ontext: (piece) => {
        if (open?.status === "failed" && failureText.length < 500) failureText += piece;
      },
      onclosetag: (tag) => {
        if (tag !== "testcase" || !open) return;
        if (open.status === "failed") {
          failed += 1;
          open.message ??= failureText.trim().split("\n")[0] ?? null;
        }
        if (found.length < MAX_OUTCOMES) found.push(outcome("junit", open));
        open = undefined;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(text);
  parser.end();
  const run = outcome("junit", { status: failed > 0 ? "failed" : "passed", total: found.length });
  return { runner: "junit", outcomes: withTotals([run, ...found]) };
}

function caseOf(attributes: Readonly<Record<string, string>>): Partial<TestOutcome> {
  const { name = "", classname = "", file } = attributes;
  const named = classname !== "" && !name.startsWith(classname) && classname !== file;
  return { name: named ? `${classname} > ${name}` : name, file: file ?? null, status: "passed" };
}
