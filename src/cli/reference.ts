/** Generates the reference page: every command and flag, from the operations. */
import type { Operation } from "../operations/operation.ts";
import { FAMILIES, FAMILY_NAMES, type VerbFamily } from "../operations/registry.ts";
import { COMMON_FLAGS, type Flag, flagsOf, shownDefault } from "./flags.ts";
import { usage } from "./help/command_help.ts";

export async function referencePage(): Promise<string> {
  const common = COMMON_FLAGS.map(({ name }) => `\`--${name}\``).join(", ");
  const families = await Promise.all(FAMILY_NAMES.map(familySection));
  return [
    "# Commands",
    "",
    "Generated from the operations by `npm run reference`.",
    "",
    `Commands that answer take ${common}; those that keep running take the options`,
    "that are listed for them, and `--help`. The exit status is 0 for success, 1 if nothing was found, 2 for a mistake",
    "in the call or a failure (see [errors](errors.md)), and 130 after Ctrl-C. Name a conversation by its id or a unique",
    "prefix of at least four characters, or by `source:id` if two agents share an id. Name a message by `id#index`.",
    "",
    ...families.flat(),
  ].join("\n");
}

async function familySection(family: VerbFamily): Promise<string[]> {
  const { title, verbs } = FAMILIES[family];
  const operations = await Promise.all(Object.values(verbs).map((load) => load()));
  return [
    `## ${title}`,
    "",
    "| command | operation | what it does |",
    "|---|---|---|",
    ...operations.map(
      ({ verb, name, summary }) => `| [\`${verb}\`](#dex-${verb.replaceAll(" ", "-")}) | \`${name}\` | ${summary} |`,
    ),
    "",
    ...operations.flatMap(section),
  ];
}

function section(operation: Operation): string[] {
  const lines = [`### dex ${operation.verb}`, "", `\`dex ${usage(operation)}\``, "", `${operation.summary}.`, ""];
  const flags = flagsOf(operation);
  if (flags.length === 0) return lines;
  return [
    ...lines,
    "| argument | value | default | meaning |",
    "|---|---|---|---|",
    ...flags.map((flag) => row(operation, flag)),
    "",
  ];
}

function row(operation: Operation, flag: Flag): string {
  const positional = flag.path.length === 1 && operation.positionals.includes(flag.path[0]);
  const name = positional ? `<${flag.name}>` : `--${flag.name}`;
  const value = flag.choices.length > 0 ? flag.choices.map((choice) => `\`${choice}\``).join(", ") : flag.type;
  const fallback = shownDefault(flag);
  const usual = fallback === undefined ? "" : `\`${fallback}\``;
  return `| \`${name}\` | ${value} | ${usual} | ${flag.description.replaceAll("|", "\\|")} |`;
}
