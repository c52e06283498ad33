/** Generates the reference page: every command and flag, from the operations and the programs. */
import { OPERATIONS } from "../operations/registry.ts";
import type { Command } from "./command.ts";
import { COMMON_FLAGS, type Flag, flagsOf, SHORT_FLAGS, shownDefault } from "./flags.ts";
import { usage } from "./help/command_help.ts";
import { makeHelpTable } from "./help/make_help_table.ts";
import { PROGRAMS } from "./programs/registry.ts";

interface Entry {
  command: Command & { about?: string; hidden?: readonly string[] };
  /** The operation's name; undefined for a command that is only a program. */
  operation?: string;
}

export async function referencePage(): Promise<string> {
  const common = COMMON_FLAGS.map(({ name }) => `\`--${name}\``).join(", ");
  const { families } = await makeHelpTable();
  const sections = await Promise.all(families.map(({ title, verbs }) => familySection(title, verbs)));
  return [
    "# Commands",
    "",
    "Generated from the source by `npm run reference`.",
    "",
    `Commands that answer take ${common}. Commands without an operation in the`,
    "tables below keep running or talk with you; they take the options that are listed for them, and `--help`. The exit",
    "status is 0 for success, 1 if nothing was found, 2 for a mistake in the call or a failure (see [errors](errors.md)),",
    "and 130 after Ctrl-C. Name a conversation by its id or a unique prefix of at least four characters, or by `source:id`",
    "if two agents share an id. Name a message by `id#index`.",
    "",
    ...sections.flat(),
  ].join("\n");
}

async function familySection(title: string, verbs: readonly string[]): Promise<string[]> {
  const entries = await Promise.all(verbs.map(entryOf));
  return [
    `## ${title}`,
    "",
    "| command | operation | what it does |",
    "|---|---|---|",
    ...entries.map(({ command: { verb, summary }, operation }) => {
      const name = operation === undefined ? "" : `\`${operation}\``;
      return `| [\`${verb}\`](#dex-${verb.replaceAll(" ", "-")}) | ${name} | ${summary} |`;
    }),
    "",
    ...entries.flatMap(({ command }) => section(command)),
  ];
}

/** A program has the flags that people type, also where an operation has the same verb. */
async function entryOf(verb: string): Promise<Entry> {
  const [operation, program] = await Promise.all([OPERATIONS[verb]?.(), PROGRAMS[verb]?.()]);
  const command = program ?? operation;
  if (!command) throw new Error(`There is no command ${verb}.`);
  return { command, ...(operation && { operation: operation.name }) };
}

function section(command: Entry["command"]): string[] {
  const about = command.about === undefined ? [`${command.summary}.`] : paragraphs(command.about);
  const lines = [`### dex ${command.verb}`, "", `\`dex ${usage(command)}\``, "", ...about, ""];
  const flags = flagsOf(command).filter(({ path }) => !command.hidden?.includes(path[0]));
  if (flags.length === 0) return lines;
  const named = flags.filter((flag) => !isPositional(command, flag));
  const positional = command.positionals.flatMap((name) => flags.filter(({ path }) => path[0] === name));
  const rows = [...positional.filter((flag) => isPositional(command, flag)), ...named].map((flag) =>
    row(command, flag),
  );
  return [...lines, "| argument | value | default | meaning |", "|---|---|---|---|", ...rows, ""];
}

/** Lines that are laid out by hand become a block of code. */
function paragraphs(about: string): string[] {
  const lines = about.split("\n");
  if (!lines.some((line) => line.startsWith(" "))) return lines;
  const isText = (line: string): boolean => !line.startsWith(" ");
  return [...lines.filter(isText).filter(Boolean), "", "```text", ...lines.filter((line) => !isText(line)), "```"];
}

function isPositional(command: Command, { path }: Flag): boolean {
  return path.length === 1 && command.positionals.includes(path[0]);
}

function row(command: Command, flag: Flag): string {
  const short = Object.entries(SHORT_FLAGS).find(([, name]) => name === flag.name)?.[0];
  const long = short === undefined ? `\`--${flag.name}\`` : `\`--${flag.name}\`, \`-${short}\``;
  const name = isPositional(command, flag) ? `\`<${flag.path[0]}>\`` : long;
  const value = flag.choices.length > 0 ? flag.choices.map((choice) => `\`${choice}\``).join(", ") : flag.type;
  const fallback = shownDefault(flag);
  const usual = fallback === undefined ? "" : `\`${fallback}\``;
  return `| ${name} | ${value} | ${usual} | ${flag.description.replaceAll("|", "\\|")} |`;
}
