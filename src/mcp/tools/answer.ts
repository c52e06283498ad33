/**
 * The result of a tool call: compact text for the agent, and structured content. Some clients show their model only the
 * structured content, so by default it is the same text as lines, notices included: as cheap as the text, and within the
 * budget of the call. Programs can have every field of the answer instead.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import { isObject } from "../../kernel/json.ts";
import { formatTokens } from "../../kernel/text.ts";
import type { Operation } from "../../operations/operation.ts";
import { forPrograms, type ToolNames } from "../../operations/shared/for_programs.ts";
import { renderOutput } from "../../rendering/registry.ts";
import type { Terminal } from "../../rendering/terminal/terminal.ts";
import { StaleFailure } from "../../serving/calls/call_runner.ts";
import { cleanJson, cleanText } from "../../text/clean.ts";
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";

/** `lines`: the text, line by line. `full`: the object that `--json` prints. */
export const STRUCTURED_FORMS = ["lines", "full"] as const;
export type StructuredForm = (typeof STRUCTURED_FORMS)[number];

/** Wide enough that no line is wrapped or cut. */
const WIDTH = 1000;
/** About what fits the largest context of an agent. */
const MAX_ANSWER_CHARS = 1_000_000;
/** The input fields that limit the tokens of an answer. */
const BUDGET_FIELDS = ["max_tokens", "target"] as const;
const MAX_FITTINGS = 3;
/**
 * Without a budget, a whole conversation would fill an agent's context, or exceed the 25,000 tokens that Claude Code
 * accepts from a tool.
 */
const DEFAULT_MAX_TOKENS = 20_000;
/** A smaller budget holds little more than the head of an answer. */
const MIN_FITTED_TOKENS = 50;

interface Found {
  output: unknown;
  notice: string | undefined;
}

interface AnswerOptions {
  names: ToolNames;
  now: number;
  structured: StructuredForm;
}

export async function answer(operation: Operation, found: Found, options: AnswerOptions): Promise<CallToolResult> {
  const text = await answerText(operation, found, options);
  const content: CallToolResult["content"] = [{ type: "text", text }];
  if (options.structured === "lines") return { content, structuredContent: { lines: text.split("\n") } };
  const { output, notice } = found;
  if (!isObject(output)) return { content };
  const note = notice === undefined ? undefined : forPrograms(notice, options.names);
  return { content, structuredContent: cleanJson(note === undefined ? output : { ...output, notice: note }) };
}

/** The text of an answer for an agent, with the notice at its end. */
export async function answerText(
  { verb }: Operation,
  { output, notice }: Found,
  { names, now }: Pick<AnswerOptions, "names" | "now">,
): Promise<string> {
  const terminal: Terminal = { width: WIDTH, color: false, now, compact: true };
  const text = await renderOutput(verb, output, terminal);
  if (text.length > MAX_ANSWER_CHARS) {
    throw new DexError("too_large", `The answer is too large: about ${formatTokens(estimateTokens(text))} tokens.`, {
      hint: "Ask for less: fewer ids, a smaller format, or give max_tokens.",
    });
  }
  return cleanText(notice === undefined ? text : `${text}\n\nNote: ${forPrograms(notice, names)}`);
}

/**
 * Answers within the budget of the call. An operation keeps its text within it, but JSON escapes quotes and line breaks:
 * if the structured content comes out larger than the budget, the operation runs again with less.
 */
export async function withinBudget(
  operation: Operation,
  input: Record<string, unknown>,
  run: (input: Record<string, unknown>) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const field = BUDGET_FIELDS.find((name) => name in operation.input.shape && typeof input[name] === "number");
  if (!operation.readOnly) return run(input);
  if (field === undefined && "max_tokens" in operation.input.shape) return withinDefault(input, run);
  const result = await run(input);
  if (field === undefined) return result;
  const budget = input[field] as number;
  let fitted = result;
  let given = budget;
  for (let fitting = 0; fitting < MAX_FITTINGS; fitting += 1) {
    const size = estimateTokens(JSON.stringify(fitted.structuredContent ?? "")) * BUDGET_MARGIN;
    if (size <= budget) return fitted;
    given = Math.floor(Math.min(given * 0.97, (given * budget) / size));
    if (given < MIN_FITTED_TOKENS) return fitted;
    const next = await run({ ...input, [field]: given }).catch(() => undefined);
    // The operation cannot return less than this.
    if (!next) return fitted;
    fitted = next;
  }
  return fitted;
}

/** The answer without a budget if it is not too long for an agent, and otherwise with the default one. */
async function withinDefault(
  input: Record<string, unknown>,
  run: (input: Record<string, unknown>) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const whole = await run(input).catch((error: unknown) => {
    if (error instanceof DexError && error.code === "too_large") return undefined;
    throw error;
  });
  const size = whole && estimateTokens(JSON.stringify(whole.structuredContent ?? "")) * BUDGET_MARGIN;
  if (whole && size !== undefined && size <= DEFAULT_MAX_TOKENS) return whole;
  // The structured content may be a little larger.
  return run({ ...input, max_tokens: DEFAULT_MAX_TOKENS });
}

/** Structured content would have to match the tool's output schema, so programs find the error in `_meta`. */
export function failure(thrown: unknown, names: ToolNames): CallToolResult {
  const error = thrown instanceof StaleFailure ? thrown.cause : thrown;
  const notice = thrown instanceof StaleFailure ? thrown.notice : undefined;
  const { code, message, hint } =
    error instanceof DexError ? error : { code: "unexpected", message: errorMessage(error), hint: undefined };
  const details = cleanJson({
    code,
    message: forPrograms(message, names),
    ...(hint === undefined ? {} : { hint: forPrograms(hint, names) }),
    ...(notice === undefined ? {} : { notice: forPrograms(notice, names) }),
  });
  const lines = [details.message, details.hint].filter((line) => line !== undefined);
  const note = details.notice === undefined ? "" : `\n\nNote: ${details.notice}`;
  const text = `${lines.join("\n")} (${code})${note}`;
  return { _meta: { "dex/error": details }, content: [{ type: "text", text }], isError: true };
}
