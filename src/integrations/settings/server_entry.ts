/**
 * The command with which an agent starts dex's MCP server, and the recognition of an entry in its settings that does
 * so.
 */
import { isDex, programCommand } from "../../config/own_program.ts";
import { asArray, asString, type JsonObject } from "../../kernel/json.ts";

const SERVE = "serve";

export function launchCommand(vars: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  return [...programCommand(vars, platform), SERVE];
}

/** The command of an entry and its arguments, in one list. */
function argvOf(entry: JsonObject): string[] {
  const strings = (value: unknown): string[] => asArray(value).flatMap((word) => asString(word) ?? []);
  const command = asString(entry.command) ?? asString(entry.cmd);
  return [...(command === undefined ? strings(entry.command) : [command]), ...strings(entry.args)];
}

/** The words up to `serve` if they start dex's server. The words after it are the user's choice and stay. */
export function launchOf(entry: JsonObject): string[] | undefined {
  const argv = argvOf(entry);
  const at = argv.indexOf(SERVE);
  if (at < 1) return undefined;
  return isDex(argv[at - 1] ?? "") ? argv.slice(0, at + 1) : undefined;
}

/** The entry's own fields, changed only to start `launch`. */
export function relaunched(entry: JsonObject, launch: readonly string[]): JsonObject {
  const rest = argvOf(entry).slice(launchOf(entry)?.length ?? 0);
  const words = [...launch, ...rest];
  if (Array.isArray(entry.command)) return { command: words };
  return { [entry.cmd === undefined ? "command" : "cmd"]: words[0] ?? "", args: words.slice(1) };
}
