/** The help texts, derived from the operations and the programs. */
import { FAMILIES, FAMILY_NAMES, familyOfVerb, OPERATIONS, type VerbFamily } from "../operations/registry.ts";
import { wrap } from "../rendering/width.ts";
import { VERSION } from "../version.ts";
import type { Command, Program } from "./command.ts";
import { COMMON_FLAGS, type Flag, flagsOf, PROGRAM_FLAGS, requiredOf, SHORT_FLAGS, shownDefault } from "./flags.ts";
import { PROGRAMS } from "./programs/registry.ts";

/** The families of programs whose first word is not also the first word of a verb. */
const PROGRAM_FAMILIES: Readonly<Record<string, VerbFamily>> = {
  serve: "agents",
  web: "agents",
  mcp: "agents",
  hook: "agents",
  statusline: "agents",
  watch: "upkeep",
  completion: "upkeep",
};

/** The column at which the description of a flag begins. */
const FLAG_COLUMNS = 28;
/** A description with less room than this moves to the line below its name. */
const MIN_TEXT_COLUMNS = 30;
const BELOW_INDENT = 6;

const FOOTER =
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
  const groups = FAMILY_NAMES.map((name) => ({ title: FAMILIES[name].title, rows: rowsOfFamily(rows, name) }));
  return [
    wrap(`dex ${VERSION} finds what you and your coding agents did before`, columns, ""),
    ...groups.flatMap((group) => ["", group.title, ...lines(group.rows, width, columns)]),
    "",
    wrap(FOOTER, columns, ""),
  ].join("\n");
}

function rowsOfFamily(rows: readonly HelpRow[], name: VerbFamily): HelpRow[] {
  const ofProgram = (word: string): boolean => (familyOfVerb(word) ?? PROGRAM_FAMILIES[word]) === name;
  const programs = Object.keys(PROGRAMS).filter((verb) => ofProgram(firstWord(verb)));
  const words = [...Object.keys(FAMILIES[name].verbs), ...programs].map(firstWord);
  return [...new Set(words)].flatMap((word) => rowsOfWord(rows, word));
}

function firstWord(verb: string): string {
  return verb.split(" ")[0] ?? verb;
}

/** The commands that begin with a word such as `docs`; undefined when none does. */
export async function wordHelp(word: string, columns: number): Promise<string | undefined> {
  const rows = rowsOfWord(await allRows(), word);
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

function rowsOfWord(rows: readonly HelpRow[], word: string): HelpRow[] {
  return [...rows.filter(({ verb }) => verb === word), ...rows.filter(({ verb }) => verb.startsWith(`${word} `))];
}

function widthOf(rows: readonly HelpRow[]): number {
  return Math.max(...rows.map(({ usage }) => usage.length));
}

function lines(rows: readonly HelpRow[], width: number, columns: number): string[] {
  return rows.map(({ usage, summary }) => inTwoColumns(`  dex ${usage}`, width + 8, summary, columns));
}

/** A name and its description, wrapped to the width of the terminal. */
function inTwoColumns(name: string, indent: number, text: string, columns: number): string {
  const below = columns - indent < MIN_TEXT_COLUMNS;
  const space = " ".repeat(below ? Math.min(BELOW_INDENT, indent) : indent);
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
    lines.push(inTwoColumns(`  <${name}>`, FLAG_COLUMNS, flag?.description ?? "", columns));
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
  return inTwoColumns(`  ${left}`, FLAG_COLUMNS, `${flag.description}${usual}`, columns);
}

function valueName(flag: Flag): string {
  const field = flag.path[1] ?? flag.path[0];
  // A camel-case field keeps the name of an MCP parameter; the flag's name reads better.
  return flag.type === "number" ? " N" : ` ${(/[A-Z]/.test(field) ? flag.name : field).toUpperCase()}`;
}
