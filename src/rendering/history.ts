/** Renders the answers about a repository's history, decisions, tests and warnings. */
import type * as z from "zod";
import { formatCount, plural } from "../kernel/text.ts";
import type { decide } from "../operations/history/decisions/decide.ts";
import type { decisions } from "../operations/history/decisions/decisions.ts";
import type { decisionOutput } from "../operations/history/fields.ts";
import type { history } from "../operations/history/history.ts";
import type { testsImport, testsList } from "../operations/history/tests.ts";
import type { warnings } from "../operations/history/warnings.ts";
import { cleanLine, cleanText } from "../text/clean.ts";
import { ownerInWords } from "./conversations/origin.ts";
import { linkText, renderBlame, SHORT_SHA_CHARS } from "./history/blame.ts";
import { renderRestore } from "./history/restore.ts";
import { emptyPage, paint, type Style, type Terminal, when } from "./terminal/terminal.ts";
import { fit, wrap } from "./terminal/width.ts";

type Output<T extends { output: z.ZodType }> = z.output<T["output"]>;
type Event = Output<typeof history>["events"][number];
type Listed = z.output<typeof decisionOutput>;

function renderHistory(output: Output<typeof history>, terminal: Terminal): string {
  const head = [paint(terminal, "bold", cleanText(output.target))];
  if (output.places) head.push(paint(terminal, "dim", `defined in ${cleanText(output.places.join(", "))}`));
  const lines = output.events.map((event) => eventLines(event, terminal));
  const tail = [
    paint(terminal, "dim", counted(output.events.length, output.total, "event")),
    ...(output.partners.length > 0 ? [`changes with: ${output.partners.map(partnerText).join(", ")}`] : []),
    ...(output.copies.length > 0 ? [paint(terminal, "dim", copiesText(output.copies))] : []),
  ];
  return [...head, ...lines, ...tail].join("\n");
}

const SHOWN_COPIES = 3;

function copiesText(copies: Output<typeof history>["copies"]): string {
  const count = copies.reduce((sum, { conversations }) => sum + conversations, 0);
  const folders = copies.slice(0, SHOWN_COPIES).map(({ folder }) => cleanText(folder));
  const more = copies.length - folders.length;
  return `with ${plural(count, "conversation")} of ${plural(copies.length, "copy", "copies")} of the repository: ${folders.join(", ")}${more > 0 ? ` and ${more} more` : ""} (\`dex doctor\` shows why)`;
}

function partnerText({ path, support, confidence }: Output<typeof history>["partners"][number]): string {
  return `${cleanText(path)} (${support}×, ${Math.round(confidence * 100)}%)`;
}

function eventLines(event: Event, terminal: Terminal): string {
  const time = when(terminal, event.time);
  if (event.kind === "commit") {
    const lines = event.added === undefined ? "" : ` +${event.added} −${event.deleted}`;
    const about = [
      event.author ?? "",
      event.symbols?.join(", ") ?? "",
      event.renamed_from ? `was ${event.renamed_from}` : "",
    ];
    const text = `${time}  ${paint(terminal, "cyan", event.ref.slice(0, SHORT_SHA_CHARS))} ${fit(cleanText(event.text), terminal.width - 40)}${lines}`;
    const detail = about.filter(Boolean).join(" · ");
    const link = event.conversation ? `\n    ${linkText(event.conversation, terminal)}` : "";
    return `${text}${detail ? `\n    ${paint(terminal, "dim", fit(cleanText(detail), terminal.width - 4))}` : ""}${link}`;
  }
  if (event.kind === "decision") {
    const because = event.because ? ` (because ${event.because})` : "";
    return `${time}  ${paint(terminal, "green", `decided ${event.ref}`)} ${fit(cleanText(event.text + because), terminal.width - 40)}`;
  }
  const how = event.how === undefined ? "" : `${event.how} it: `;
  const owner = ownerInWords(event);
  const of = owner === "" ? "" : ` (${owner})`;
  return `${time}  ${paint(terminal, "yellow", event.ref)} ${how}${fit(cleanText(event.text), terminal.width - 60)}${of}`;
}

const STATUS_STYLES: Readonly<Record<Listed["status"], Style>> = {
  accepted: "green",
  proposed: "yellow",
  superseded: "dim",
  reverted: "red",
  historic: "dim",
  rejected: "red",
};

function decisionText(each: Listed, terminal: Terminal): string {
  const by = each.superseded_by ? ` by ${each.superseded_by}` : "";
  const head = `${paint(terminal, "cyan", each.id)} ${paint(terminal, STATUS_STYLES[each.status], `${each.status}${by}`)}`;
  const about = [
    each.origin_name,
    each.place,
    when(terminal, each.date),
    ...each.files.slice(0, 3),
    ...each.symbols.slice(0, 3),
  ];
  const details = [
    ...(each.because && !each.text.includes(each.because) ? [`because ${each.because}`] : []),
    ...(each.alternatives.length > 0 ? [`rejected: ${each.alternatives.join("; ")}`] : []),
    ...(each.places === undefined ? [] : [`also in ${each.places.slice(1).join(", ")}`]),
  ];
  const block = (text: string): string =>
    terminal.compact ? `  ${cleanText(text)}` : wrap(cleanText(text), terminal.width, "  ");
  return [
    `${head}  ${paint(terminal, "dim", fit(cleanText(about.join(" · ")), Math.max(20, terminal.width - 24)))}`,
    block(each.text),
    ...details.map(block),
  ].join("\n");
}

function noDecision(hidden: number, terminal: Terminal): string {
  if (hidden === 0) return "No decision found.";
  const shows = `${terminal.compact ? "all: true" : "--all"} shows ${hidden === 1 ? "it" : "them"}`;
  return `No decision found that is certain and in force; ${plural(hidden, "other")} hidden, ${shows}.`;
}

function renderDecisions(output: Output<typeof decisions>, terminal: Terminal): string {
  if (output.decisions.length === 0 && output.total > 0) return emptyPage(output.total);
  if (output.decisions.length === 0) return noDecision(output.hidden ?? 0, terminal);
  const blocks = output.decisions.map((each) => decisionText(each, terminal));
  return `${blocks.join("\n")}\n${paint(terminal, "dim", counted(output.decisions.length, output.total, "decision"))}`;
}

function renderDecision(output: Output<typeof decide>, terminal: Terminal): string {
  return decisionText(output.decision, terminal);
}

type Test = Output<typeof testsList>["tests"][number];

function testText(test: Test, terminal: Terminal): string {
  const about = [test.file ?? "", test.runner, when(terminal, test.date), test.place].filter(Boolean).join(" · ");
  const style = test.status === "failed" ? "red" : test.status === "passed" ? "green" : "dim";
  const lines = [
    `${paint(terminal, style, test.status)} ${fit(cleanText(test.name), terminal.width - 10)}`,
    `  ${paint(terminal, "dim", fit(cleanText(about), terminal.width - 2))}`,
  ];
  if (test.message) lines.push(`  ${fit(cleanLine(test.message), terminal.width - 2)}`);
  if (test.why) lines.push(`  ${fit(cleanLine(`unknown: ${test.why}`), terminal.width - 2)}`);
  return lines.join("\n");
}

const RESULT_IN_WORDS = {
  failed: "fails",
  passed: "passed",
  skipped: "was skipped",
  unknown: "has an unknown result",
} as const;

function noTest({ status, known }: Output<typeof testsList>): string {
  const others = Object.entries(known).filter(([, count]) => count > 0);
  if (others.length === 0) return "No such test is known. `dex tests import <file>` imports results.";
  const counts = others.map(([status, count]) => `${formatCount(count)} ${status}`).join(", ");
  return `No test ${RESULT_IN_WORDS[status]}; known are ${counts}. --status lists them.`;
}

function renderTests(output: Output<typeof testsList>, terminal: Terminal): string {
  if (output.tests.length === 0) return noTest(output);
  const blocks = output.tests.map((test) => testText(test, terminal));
  return `${blocks.join("\n")}\n${paint(terminal, "dim", counted(output.tests.length, output.total, "test"))}`;
}

function renderImport(output: Output<typeof testsImport>): string {
  const { failed, passed, skipped } = output;
  return `${plural(output.tests, "test")} of ${output.runner}: ${failed} failed, ${passed} passed, ${skipped} skipped.`;
}

function renderWarnings(output: Output<typeof warnings>, terminal: Terminal): string {
  const { failing_tests: tests, missing_changes: gaps, deprecations, totals } = output;
  const blocks: string[] = [];
  const head = (text: string, shown: number, total: number): string =>
    paint(terminal, "bold", shown < total ? `${text} (${shown} of ${total})` : text);
  if (tests.length > 0) {
    const lines = tests.map((test) => testText(test, terminal));
    blocks.push([head("Failing tests", tests.length, totals.failing_tests), ...lines].join("\n"));
  }
  if (gaps.length > 0) {
    const lines = gaps.map(
      ({ file, missing, support, confidence }) =>
        `  ${cleanText(missing)} changed in ${Math.round(confidence * 100)}% of the changes to ${cleanText(file)} (${support}×), but is unchanged now`,
    );
    blocks.push([head("Possibly forgotten changes", gaps.length, totals.missing_changes), ...lines].join("\n"));
  }
  if (deprecations.length > 0) {
    const lines = deprecations.map(({ symbol, file, line, message, named_in_total: named }) => {
      const used = `used in ${plural(named, "other file")}`;
      return fit(cleanText(`  ${symbol} ${file}:${line}, ${used}${message ? `: ${message}` : ""}`), terminal.width);
    });
    blocks.push([head("Deprecated", deprecations.length, totals.deprecations), ...lines].join("\n"));
  }
  return blocks.length === 0 ? "No warnings." : blocks.join("\n\n");
}

function counted(shown: number, total: number, what: string): string {
  return shown < total ? `${shown} of ${plural(total, what)}` : plural(total, what);
}

export const HISTORY_RENDERERS = {
  history: renderHistory,
  blame: renderBlame,
  restore: renderRestore,
  decisions: renderDecisions,
  decide: renderDecision,
  "decisions accept": renderDecision,
  "decisions reject": renderDecision,
  "decisions supersede": renderDecision,
  "decisions extract": renderDecisions,
  "tests import": renderImport,
  "tests list": renderTests,
  warnings: renderWarnings,
};
