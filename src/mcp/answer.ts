/**
 * The result of a tool call: compact text for the agent, and the same object that `--json` prints. Some clients show
 * their model only the object, so a notice (an index that was never synced) is in both.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { isObject } from "../kernel/json.ts";
import { formatTokens } from "../kernel/text.ts";
import type { Operation } from "../operations/operation.ts";
import { renderOutput } from "../rendering/registry.ts";
import type { Terminal } from "../rendering/terminal.ts";
import { StaleFailure } from "../serving/call_runner.ts";
import { cleanJson, cleanText } from "../text/clean.ts";
import { estimateTokens } from "../tokens/estimate.ts";

/** Wide enough that no line is wrapped or cut. */
const WIDTH = 1000;
/** About what fits the largest context of an agent. */
const MAX_ANSWER_CHARS = 1_000_000;

/** The names of tools by the verbs they are made from. */
export type ToolNames = ReadonlyMap<string, string>;

export async function answer(
  operation: Operation,
  { output, notice }: { output: unknown; notice: string | undefined },
  names: ToolNames,
  now: number,
): Promise<CallToolResult> {
  const terminal: Terminal = { width: WIDTH, color: false, now, compact: true };
  const text = await renderOutput(operation.verb, output, terminal);
  if (text.length > MAX_ANSWER_CHARS) {
    throw new DexError("too_large", `The answer is too large: about ${formatTokens(estimateTokens(text))} tokens.`, {
      hint: "Ask for less: fewer ids, a smaller format, or give max_tokens.",
    });
  }
  const note = notice === undefined ? undefined : forTools(notice, names);
  return {
    content: [{ type: "text", text: cleanText(note === undefined ? text : `${text}\n\nNote: ${note}`) }],
    ...(isObject(output)
      ? { structuredContent: cleanJson(note === undefined ? output : { ...output, notice: note }) }
      : {}),
  };
}

/** Structured content would have to match the tool's output schema, so programs find the error in `_meta`. */
export function failure(thrown: unknown, names: ToolNames): CallToolResult {
  const error = thrown instanceof StaleFailure ? thrown.cause : thrown;
  const notice = thrown instanceof StaleFailure ? thrown.notice : undefined;
  const { code, message, hint } =
    error instanceof DexError ? error : { code: "unexpected", message: errorMessage(error), hint: undefined };
  const details = cleanJson({
    code,
    message: forTools(message, names),
    ...(hint === undefined ? {} : { hint: forTools(hint, names) }),
    ...(notice === undefined ? {} : { notice: forTools(notice, names) }),
  });
  const lines = [details.message, details.hint].filter((line) => line !== undefined);
  const note = details.notice === undefined ? "" : `\n\nNote: ${details.notice}`;
  const text = `${lines.join("\n")} (${code})${note}`;
  return { content: [{ type: "text", text }], _meta: { "dex/error": details }, isError: true };
}

/**
 * Rewrites a text written for the command line: commands become tool names, and flags become parameters. A command
 * that has no tool, that is shown with flags or that starts another program must be typed in a shell and stays as it is.
 */
export function forTools(text: string, names: ToolNames): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => {
      if (part.startsWith("`dex ")) return names.get(part.slice("`dex ".length, -1)) ?? part;
      // Quoted alone, a flag is still a flag.
      return part.startsWith("`") && !part.startsWith("`--") ? part : part.replace(FLAG, parameterOf);
    })
    .join("");
}

const FLAG = /(?<=^|[\s`(])--([a-z][a-z-]*)/g;

function parameterOf(_: string, flag: string): string {
  return flag.replaceAll("-", "_");
}
