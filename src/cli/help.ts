/** Help, made from the operations. */

import { OPERATIONS } from "../operations/registry.ts";
import { wrap } from "../rendering/width.ts";
import { VERSION } from "../version.ts";
import type { Command, Program } from "./command.ts";
import { COMMON_FLAGS, type Flag, flagsOf, PROGRAM_FLAGS, requiredOf, SHORT_FLAGS, shownDefault } from "./flags.ts";
import { PROGRAMS } from "./programs/registry.ts";

/** By the first word of the command; what stands in none comes last. */
const GROUPS: readonly [title: string, words: string][] = [
  ["Find and read", "search ask fix how stats list index show scan read timeline message"],
  ["Documentation", "docs trust"],
  ["Code and its history", "code history blame decisions decide tests warnings"],
  ["Before it is asked for", "suggest feedback subscribe subscriptions unsubscribe hook hooks watch"],
  ["To be remembered", "pin pins unpin note notes save pack compact handoff resume"],
  ["Many conversations at once", "batch workflow"],
  ["Agents", "install uninstall serve mcp chat completion"],
  ["Upkeep", "sync refresh doctor config export import forget reindex gc traces trace"],
];

/** The column where what a flag means begins. */
const FLAG_WIDTH = 28;
/** A text gets at least this many columns, or it stands below its name, indented by so many. */
const MIN_TEXT = 30;
const BELOW = 6;

const ABOUT_ALL =
  "Every command takes --json, --no-sync, --no-pager and --help; `dex help <command>` shows its options. " +
  "Conversations are named by their id or any unique beginning of it (four characters or more), messages by id#index.";

interface HelpRow {
  verb: string;
  usage: string;
  summary: string;
}

export async function generalHelp(columns: number): Promise<string> {
  const rows = await allRows();
  const width = widthOf(rows);
  const groups = GROUPS.map(([title, words]) => ({
    title,
    rows: words.split(" ").flatMap((word) => family(rows, word)),
  }));
  const listed = new Set(groups.flatMap((group) => group.rows));
  const others = { title: "Others", rows: rows.filter((row) => !listed.has(row)) };
  return [
    wrap(`dex ${VERSION} finds what you and your coding agents did before`, columns, ""),
    ...[...groups, others]
      .filter((group) => group.rows.length > 0)
      .flatMap((group) => ["", group.title, ...lines(group.rows, width, columns)]),
    "",
    wrap(ABOUT_ALL, columns, ""),
  ].join("\n");
}

/** The commands that begin with a word, such as `docs`; undefined when none does. */
export async function familyHelp(word: string, columns: number): Promise<string | undefined> {
  const rows = family(await allRows(), word);
  return rows.length === 0 ? undefined : lines(rows, widthOf(rows), columns).join("\n");
}

async function allRows(): Promise<HelpRow[]> {
  const [operations, programs] = await Promise.all([
    Promise.all(Object.values(OPERATIONS).map((load) => load())),
    Promise.all(Object.values(PROGRAMS).map((load) => load())),
  ]);
  return [...operations.filter(({ verb }) => !Object.hasOwn(PROGRAMS, verb)), ...programs].map((command) => ({
    verb: command.verb,
    usage: usage(command),
    summary: command.summary,
  }));
}

function family(rows: readonly HelpRow[], word: string): HelpRow[] {
  return [...rows.filter(({ verb }) => verb === word), ...rows.filter(({ verb }) => verb.startsWith(`${word} `))];
}

function widthOf(rows: readonly HelpRow[]): number {
  return Math.max(...rows.map(({ usage }) => usage.length));
}

function lines(rows: readonly HelpRow[], width: number, columns: number): string[] {
  return rows.map(({ usage, summary }) => besides(`  dex ${usage}`, width + 8, summary, columns));
}

/** A text beside its name, broken to the width of the terminal; below it where there is too little room. */
function besides(name: string, indent: number, text: string, columns: number): string {
  const below = columns - indent < MIN_TEXT;
  const space = " ".repeat(below ? Math.min(BELOW, indent) : indent);
  const wrapped = wrap(text, columns, space);
  return below || name.length >= indent ? `${name}\n${wrapped}` : name + wrapped.slice(name.length);
}

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
    lines.push(besides(`  <${name}>`, FLAG_WIDTH, flag?.description ?? "", columns));
  }
  if (command.positionals.length > 0) lines.push("");
  const named = flags.filter(({ path }) => !command.positionals.includes(path[0]) || path.length > 1);
  for (const flag of [...named, ...common]) lines.push(flagLine(flag, columns));
  return lines.join("\n");
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
  return besides(`  ${left}`, FLAG_WIDTH, `${flag.description}${usual}`, columns);
}

function valueName(flag: Flag): string {
  const field = flag.path[1] ?? flag.path[0];
  // A field whose name is a tool's own tells a person less than the flag.
  return flag.type === "number" ? " N" : ` ${(/[A-Z]/.test(field) ? flag.name : field).toUpperCase()}`;
}
