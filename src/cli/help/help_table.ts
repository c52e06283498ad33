/**
 * The rows of `dex help`. To make them, every command must be loaded, which takes half a second, so the build makes them
 * once. Run from source, dex loads all commands.
 */

export interface HelpRow {
  verb: string;
  usage: string;
  summary: string;
}

export interface HelpTable {
  rows: HelpRow[];
  /** The families in their order, with the verbs of each. */
  families: { title: string; verbs: string[] }[];
}

/** A JSON text: as an object, the bundler would evaluate it in every file. */
declare const DEX_HELP_TABLE: string | undefined;

export async function helpTable(): Promise<HelpTable> {
  if (typeof DEX_HELP_TABLE === "string") return JSON.parse(DEX_HELP_TABLE) as HelpTable;
  const { makeHelpTable } = await import("./make_help_table.ts");
  return makeHelpTable();
}

/** The rows of a verb and of the verbs that begin with it. */
export function rowsOfWord(rows: readonly HelpRow[], word: string): HelpRow[] {
  return [...rows.filter(({ verb }) => verb === word), ...rows.filter(({ verb }) => verb.startsWith(`${word} `))];
}
