/** `dex help`: all commands, or those that begin with one word. It is a separate file of the build, and loads little. */
import { terminalOf } from "../../rendering/terminal/terminal.ts";
import { wrap } from "../../rendering/terminal/width.ts";
import { VERSION } from "../../version.ts";
import { printPaged } from "../terminal/pager.ts";
import { stdout } from "../terminal/standard_streams.ts";
import { type HelpRow, helpTable, rowsOfWord } from "./help_table.ts";
import { inTwoColumns } from "./two_columns.ts";

const FOOTER =
  "Commands that answer take --json, --no-sync and --no-pager, and all take --help; `dex help <command>` shows the " +
  "options of one. " +
  "Name a conversation by its id or a unique prefix of at least four characters, and a message by id#index.";

/** Returns the exit status. */
export async function showGeneralHelp(): Promise<number> {
  await printPaged(await generalHelp(terminalOf(stdout(), process.env, Date.now()).width), true);
  return 0;
}

export async function generalHelp(columns: number): Promise<string> {
  const { rows, families } = await helpTable();
  const byVerb = new Map(rows.map((row) => [row.verb, row]));
  const width = widthOf(rows);
  const groups = families.map(({ title, verbs }) => ({ title, rows: verbs.flatMap((verb) => byVerb.get(verb) ?? []) }));
  return [
    wrap(`dex ${VERSION} finds what you and your coding agents did before`, columns, ""),
    ...groups.flatMap((group) => ["", group.title, ...lines(group.rows, width, columns)]),
    "",
    wrap(FOOTER, columns, ""),
  ].join("\n");
}

/** The commands that begin with a word such as `docs`; undefined when none does. */
export async function wordHelp(word: string, columns: number): Promise<string | undefined> {
  const rows = rowsOfWord((await helpTable()).rows, word);
  return rows.length === 0 ? undefined : lines(rows, widthOf(rows), columns).join("\n");
}

function widthOf(rows: readonly HelpRow[]): number {
  return Math.max(...rows.map(({ usage }) => usage.length));
}

function lines(rows: readonly HelpRow[], width: number, columns: number): string[] {
  return rows.map(({ usage, summary }) => inTwoColumns(`  dex ${usage}`, width + 8, summary, columns));
}
