/**
 * Errors and notices are written for the command line. A program that calls an operation has no flags but fields, and an
 * agent has tools: here they are named as the caller knows them.
 */
import { DexError } from "../../kernel/errors.ts";

/** The names of tools by the verbs they are made from. */
export type ToolNames = ReadonlyMap<string, string>;

const NO_TOOLS: ToolNames = new Map();

/**
 * Flags become fields, and commands become tools. A command that has no tool, that is shown with flags or that starts
 * another program must be typed in a shell and stays as it is.
 */
export function forPrograms(text: string, tools: ToolNames = NO_TOOLS): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => {
      if (part.startsWith("`dex ")) return tools.get(part.slice("`dex ".length, -1)) ?? part;
      // Quoted alone, a flag is still a flag.
      return part.startsWith("`") && !part.startsWith("`--") ? part : part.replace(FLAG, fieldOf);
    })
    .join("");
}

/** The same error in the caller's names. */
export function errorForPrograms({ code, message, hint, exitCode, cause }: DexError, tools?: ToolNames): DexError {
  return new DexError(code, forPrograms(message, tools), {
    ...(hint === undefined ? {} : { hint: forPrograms(hint, tools) }),
    exitCode,
    cause,
  });
}

const FLAG = /(?<=^|[\s`(])--([a-z][a-z-]*)/g;

function fieldOf(_: string, flag: string): string {
  return flag.replaceAll("-", "_");
}
