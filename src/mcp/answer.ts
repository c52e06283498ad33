/**
 * What a tool call gives back: compact text for the agent, and beside it the same object that `--json` prints. Some
 * clients show their model only the object, so that a notice (an index that was never synced) stands in both.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { isObject } from "../kernel/json.ts";
import { formatTokens } from "../kernel/text.ts";
import type { Operation } from "../operations/operation.ts";
import { renderOutput } from "../rendering/registry.ts";
import type { Terminal } from "../rendering/terminal.ts";
import { cleanJson, cleanText } from "../text/clean.ts";
import { estimateTokens } from "../tokens/estimate.ts";

/** Long enough for any line that has a reason to be one. */
const WIDTH = 1000;
/** In characters: about what fits the largest context of an agent. */
const LARGEST = 1_000_000;

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
  if (text.length > LARGEST) {
    throw new DexError("too_large", `The answer has about ${formatTokens(estimateTokens(text))} tokens.`, {
      hint: "Ask for less: fewer ids, a smaller format, or give max_tokens.",
    });
  }
  const told = notice === undefined ? undefined : forTools(notice, names);
  return {
    content: [{ type: "text", text: cleanText(told === undefined ? text : `${text}\n\nNote: ${told}`) }],
    ...(isObject(output)
      ? { structuredContent: cleanJson(told === undefined ? output : { ...output, notice: told }) }
      : {}),
  };
}

/** Without structured content, which would have to be an answer; what a program needs of an error is beside it. */
export function failure(error: unknown, names: ToolNames): CallToolResult {
  const { code, message, hint } =
    error instanceof DexError ? error : { code: "unexpected", message: errorMessage(error), hint: undefined };
  const said = cleanJson({
    code,
    message: forTools(message, names),
    ...(hint === undefined ? {} : { hint: forTools(hint, names) }),
  });
  const text = `${said.message}${said.hint === undefined ? "" : `\n${said.hint}`} (${code})`;
  return { content: [{ type: "text", text }], _meta: { "dex/error": said }, isError: true };
}

/**
 * Sentences are written for the command line: an agent has tools for its commands, and parameters for its flags. A
 * command without a tool, or with flags of its own, is one to type in a shell, and stays as it is typed.
 */
export function forTools(text: string, names: ToolNames): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => {
      if (!part.startsWith("`dex "))
        return part.replace(/(?<=^|[\s`(])--([a-z][a-z-]*)/g, (_, flag: string) => flag.replaceAll("-", "_"));
      return names.get(part.slice("`dex ".length, -1)) ?? part;
    })
    .join("");
}
