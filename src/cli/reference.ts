/** The reference page of the guide: every command and flag, made from the operations. */
import type { Operation } from "../operations/operation.ts";
import { OPERATIONS } from "../operations/registry.ts";
import { COMMON_FLAGS, type Flag, flagsOf, shownDefault } from "./flags.ts";
import { usage } from "./help.ts";

export async function referencePage(): Promise<string> {
  const operations = await Promise.all(Object.values(OPERATIONS).map((load) => load()));
  const rows = operations.map(
    ({ verb, name, summary }) => `| [\`${verb}\`](#dex-${verb.replaceAll(" ", "-")}) | \`${name}\` | ${summary} |`,
  );
  const common = COMMON_FLAGS.map(({ name }) => `\`--${name}\``).join(", ");
  return [
    "# Commands",
    "",
    `Made from the operations by \`npm run reference\`. Every command takes ${common}; exit status`,
    "0 is done, 1 is nothing found, 2 is a mistake in the call or a failure, 130 is stopped by Ctrl-C. A conversation is",
    "named by its id or any unique beginning of four characters or more, `source:id` where two agents share an id; a",
    "message is `id#index`.",
    "",
    "| command | operation | what it does |",
    "|---|---|---|",
    ...rows,
    "",
    ...operations.flatMap(section),
  ].join("\n");
}

function section(operation: Operation): string[] {
  const lines = [`## dex ${operation.verb}`, "", `\`dex ${usage(operation)}\``, "", `${operation.summary}.`, ""];
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
