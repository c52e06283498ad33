/**
 * Errors and notices are written for the command line. A program that calls an operation has no flags but fields, and an
 * agent has tools: here they are named as the caller knows them.
 */
import { DexError } from "../../kernel/errors.ts";
import { OPERATIONS } from "../registry.ts";

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
      if (part.startsWith("`dex ")) return toolOf(part.slice("`dex ".length, -1), tools) ?? part;
      // Quoted alone, a flag is still a flag.
      return part.startsWith("`") && !part.startsWith("`--") ? part : part.replace(FLAG, fieldOf);
    })
    .join("");
}

/** The tool of a command, or the command with the tool in place of the verb if one plain word follows: an action. */
function toolOf(command: string, tools: ToolNames): string | undefined {
  const tool = tools.get(command);
  if (tool !== undefined) return tool;
  if (Object.hasOwn(OPERATIONS, command)) return undefined;
  const [verb = "", action = "", ...rest] = command.split(" ");
  const named = tools.get(verb);
  return named !== undefined && rest.length === 0 && /^[a-z]+$/.test(action) ? `\`${named} ${action}\`` : undefined;
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
