/** Renders answers to questions: in boxes on a terminal, plain elsewhere. */
import type * as z from "zod";
import type { AskStep } from "../ask/answer.ts";
import { placeName } from "../ask/passage.ts";
import { formatCount, plural } from "../kernel/text.ts";
import type { ask } from "../operations/ask/ask.ts";
import type { askTest } from "../operations/ask/ask_test.ts";
import { cleanText } from "../text/clean.ts";
import { ownerInWords } from "./conversations/origin.ts";
import { paint, type Terminal } from "./terminal/terminal.ts";
import { fit, textWidth, wrap } from "./terminal/width.ts";

type Answer = z.output<typeof ask.output>;

const MAX_BOX_COLUMNS = 71;

function renderAsk(output: Answer, terminal: Terminal): string {
  if (terminal.compact) return compactAnswer(output);
  if (!terminal.boxes) return plainAnswer(output, terminal);
  return [
    box(terminal, ["Answer"]),
    "",
    wrapped(cleanText(answerText(output)), terminal.width),
    "",
    ...(output.sources.length > 0 ? [box(terminal, ["Sources"]), "", ...sourceLines(output, terminal), ""] : []),
    ...(output.nearest ? [box(terminal, ["Nearest sections"]), "", ...nearestLines(output), ""] : []),
    ...lastLines(output, terminal),
  ].join("\n");
}

/** Puts the doubt before a doubtful quotation: whoever reads only the first lines must not take it for the answer. */
export function answerText({
  answer,
  confidence,
  engine,
  sources,
}: Pick<Answer, "answer" | "confidence" | "engine" | "sources">): string {
  const isDoubtful = engine !== "model" && confidence === "low" && sources.length > 0;
  return isDoubtful ? `The sources may not answer this. The nearest passages:\n\n${answer}` : answer;
}

/** Wraps prose between words; leaves code and tables unchanged. */
export function wrapped(text: string, width: number): string {
  let inCode = false;
  return text
    .split("\n")
    .map((line) => {
      const fence = /^\s*(?:```|~~~)/.test(line);
      if (fence) inCode = !inCode;
      return inCode || fence || /^\s*\|/.test(line) ? line : wrap(line, width, "");
    })
    .join("\n");
}

function plainAnswer(output: Answer, terminal: Terminal): string {
  return [
    cleanText(answerText(output)),
    "",
    ...(output.sources.length > 0 ? ["Sources:", ...sourceLines(output, terminal), ""] : []),
    ...(output.nearest ? ["Nearest sections:", ...nearestLines(output), ""] : []),
    ...lastLines(output, terminal),
  ].join("\n");
}

/** Agents pay for every token, so they get only the answer, its sources and its confidence. */
function compactAnswer(output: Answer): string {
  const { sources, nearest = [], confidence, note } = output;
  const places = sources.map(({ ref, ...place }) => `${ref} ${sourceText(place)}`);
  const near = nearest.map((place) => `Nearest: ${sourceText(place)}${place.excerpt ? `: ${place.excerpt}` : ""}`);
  return [answerText(output), ...places, ...near, `Confidence: ${confidence}`, ...(note ? [`Note: ${note}`] : [])]
    .map(cleanText)
    .join("\n");
}

type SourcePlace = Omit<Answer["sources"][number], "ref">;

/** Code is cited as file:lines, which editors can open. */
function sourceText(place: SourcePlace): string {
  const { collection, document, section, lines, owner, machine, message } = place;
  if (collection === "code" && lines) {
    const named = section && !/^\d+-\d+$/.test(section) ? ` ${section}` : "";
    const [first, last] = lines;
    return `${document}:${first}${last === first ? "" : `-${last}`}${named}`;
  }
  const of = owner === undefined ? "" : ` (${ownerInWords({ origin: "team", owner, machine })})`;
  if (message) return `${placeName(place)}${of}`;
  return `${collection}: ${document}${section ? ` → "${section}"` : ""}${of}`;
}

export function sourceLines({ sources }: Pick<Answer, "sources">, terminal: Terminal): string[] {
  return sources.map((source) => `• ${cleanText(sourceText(source))} ${paint(terminal, "dim", `[${source.ref}]`)}`);
}

export function nearestLines({ nearest = [] }: Pick<Answer, "nearest">): string[] {
  return nearest.flatMap((place) => [
    `• ${cleanText(sourceText(place))}`,
    ...(place.excerpt ? [`  ${cleanText(place.excerpt)}`] : []),
  ]);
}

export function lastLines({ confidence, note, engine, model, usage }: Answer, terminal: Terminal): string[] {
  const style = confidence === "high" ? "green" : confidence === "medium" ? "yellow" : "red";
  const spent = [
    engine === "model" ? (model ?? "model") : "without a model",
    plural(usage.tool_calls, "tool call"),
    `${formatCount(usage.tokens_read)} tokens read, ${formatCount(usage.tokens_returned)} returned`,
    ...(usage.input === undefined ? [] : [`${formatCount(usage.input)} in, ${formatCount(usage.output ?? 0)} out`]),
    ...(usage.cost === undefined ? [] : [`$${usage.cost.toFixed(4)}`]),
  ];
  return [
    `Confidence: ${paint(terminal, style, confidence)}`,
    ...(note ? [`Note: ${cleanText(note)}`] : []),
    paint(terminal, "dim", cleanText(spent.join(" · "))),
  ];
}

/** As wide as the terminal, up to a comfortable line length. */
export function box(terminal: Terminal, lines: readonly string[]): string {
  const inner = Math.min(terminal.width, MAX_BOX_COLUMNS) - 4;
  const rows = lines.map((line) => {
    const text = fit(line, inner);
    return `│ ${paint(terminal, "bold", text)}${" ".repeat(Math.max(0, inner - textWidth(text)))} │`;
  });
  const edge = "─".repeat(inner + 2);
  return [`╭${edge}╮`, ...rows, `╰${edge}╯`].join("\n");
}

function renderTest(output: z.output<typeof askTest.output>, terminal: Terminal): string {
  const lines = output.tests.map(({ id, passed, checks, error }) => {
    const wrong = checks
      .filter((check) => !check.passed)
      .map(({ kind, detail }) => `    ${kind}: ${cleanText(detail)}`);
    const mark = paint(terminal, passed ? "green" : "red", passed ? "pass" : "FAIL");
    return [`${mark}  ${cleanText(id)}`, ...wrong, ...(error ? [`    ${cleanText(error)}`] : [])].join("\n");
  });
  const by = output.model ?? "without a model";
  return [...lines, "", `${output.suite} (${by}): ${output.passed} passed, ${output.failed} failed`].join("\n");
}

/** One line for a step towards an answer. */
export function stepText(step: AskStep): string {
  const clean = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").slice(0, 200);
  switch (step.kind) {
    case "call":
      return `→ ${clean(step.tool)} ${clean(step.arguments)}`;
    case "result": {
      if (step.failed) return "← refused";
      return step.repeated
        ? "← asked before"
        : `← ${step.found} passages${step.tokens > 0 ? `, ${step.tokens} tokens` : ""}`;
    }
    case "retry":
      return `… ${clean(step.reason)}; again in ${step.waitMs / 1000} s`;
    case "stop":
      return `■ ${step.reason}`;
  }
}

export const ASK_RENDERERS = { ask: renderAsk, "ask test": renderTest };
