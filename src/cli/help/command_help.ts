/** The help of one command, derived from its operation or program. */
import { wrap } from "../../rendering/terminal/width.ts";
import type { Command, Program } from "../command.ts";
import { COMMON_FLAGS, type Flag, flagsOf, PROGRAM_FLAGS, requiredOf, SHORT_FLAGS, shownDefault } from "../flags.ts";
import { inTwoColumns } from "./two_columns.ts";

/** The column at which the description of a flag begins. */
const FLAG_COLUMNS = 28;

export function operationHelp(operation: Command, columns: number): string {
  return commandHelp(operation, wrap(operation.summary, columns, ""), flagsOf(operation), COMMON_FLAGS, columns);
}

export function programHelp(program: Program, columns: number): string {
  const hidden: readonly string[] = program.hidden ?? [];
  const flags = flagsOf(program).filter(({ path }) => !hidden.includes(path[0]));
  const about = program.about
    .split("\n")
    // Lines that are indented are laid out by hand.
    .map((line) => (line.startsWith(" ") ? line : wrap(line, columns, "")))
    .join("\n");
  return commandHelp(program, about, flags, PROGRAM_FLAGS, columns);
}

function commandHelp(
  command: Command,
  about: string,
  flags: readonly Flag[],
  common: readonly Flag[],
  columns: number,
): string {
  const lines = [`dex ${usage(command)}`, "", about, ""];
  for (const name of command.positionals) {
    const flag = flags.find(({ path }) => path[0] === name);
    lines.push(inTwoColumns(`  <${name}>`, FLAG_COLUMNS, flag ? describedArgument(flag) : "", columns));
  }
  if (command.positionals.length > 0) lines.push("");
  const named = flags.filter(({ path }) => !command.positionals.includes(path[0]) || path.length > 1);
  for (const flag of [...named, ...common]) lines.push(flagLine(flag, columns));
  return lines.join("\n");
}

function describedArgument({ description, choices }: Flag): string {
  return choices.length === 0 ? description : `${description}: ${choices.join(", ")}`;
}

export function usage(command: Command): string {
  const required = new Set(requiredOf(command));
  const flags = flagsOf(command);
  const words = command.positionals.map((name) => {
    const many = flags.find(({ path }) => path[0] === name)?.type === "list" ? "…" : "";
    return required.has(name) ? `<${name}${many}>` : `[${name}${many}]`;
  });
  return [command.verb, ...words].join(" ");
}

function flagLine(flag: Flag, columns: number): string {
  const short = Object.entries(SHORT_FLAGS).find(([, name]) => name === flag.name)?.[0];
  const value = flag.type === "boolean" ? "" : flag.choices.length > 0 ? ` ${flag.choices.join("|")}` : valueName(flag);
  const left = `${short ? `-${short}, ` : "    "}--${flag.name}${value}`;
  const fallback = shownDefault(flag);
  const usual = fallback === undefined ? "" : ` (default ${fallback})`;
  return inTwoColumns(`  ${left}`, FLAG_COLUMNS, `${flag.description}${usual}`, columns);
}

function valueName(flag: Flag): string {
  const field = flag.path[1] ?? flag.path[0];
  // A camel-case field keeps the name of an MCP parameter; the flag's name reads better.
  return flag.type === "number" ? " N" : ` ${(/[A-Z]/.test(field) ? flag.name : field).toUpperCase()}`;
}
