/** Makes the rows of `dex help` from all operations and programs. */
import { FAMILIES, FAMILY_NAMES, familyOfVerb, OPERATIONS, type VerbFamily } from "../../operations/registry.ts";
import { PROGRAMS } from "../programs/registry.ts";
import { usage } from "./command_help.ts";
import { type HelpRow, type HelpTable, rowsOfWord } from "./help_table.ts";

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

export async function makeHelpTable(): Promise<HelpTable> {
  const [operations, programs] = await Promise.all([
    Promise.all(Object.values(OPERATIONS).map((load) => load())),
    Promise.all(Object.values(PROGRAMS).map((load) => load())),
  ]);
  const commands = [...operations.filter(({ verb }) => !Object.hasOwn(PROGRAMS, verb)), ...programs];
  const rows = commands.map((command) => ({ verb: command.verb, usage: usage(command), summary: command.summary }));
  const families = FAMILY_NAMES.map((name) => ({ title: FAMILIES[name].title, verbs: verbsOfFamily(rows, name) }));
  return { rows, families };
}

function verbsOfFamily(rows: readonly HelpRow[], name: VerbFamily): string[] {
  const ofProgram = (word: string): boolean => (familyOfVerb(word) ?? PROGRAM_FAMILIES[word]) === name;
  const programs = Object.keys(PROGRAMS).filter((verb) => ofProgram(firstWord(verb)));
  const words = [...Object.keys(FAMILIES[name].verbs), ...programs].map(firstWord);
  return [...new Set(words)].flatMap((word) => rowsOfWord(rows, word).map(({ verb }) => verb));
}

function firstWord(verb: string): string {
  return verb.split(" ")[0] ?? verb;
}
