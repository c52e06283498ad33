/** Help, made from the operations. */
import type { Operation } from "../operations/operation.ts";
import { OPERATIONS } from "../operations/registry.ts";
import { wrap } from "../rendering/width.ts";
import { VERSION } from "../version.ts";
import { COMMON_FLAGS, type Flag, flagsOf, requiredOf, SHORT_FLAGS, shownDefault } from "./flags.ts";
import { PROGRAMS } from "./programs.ts";

/** By the first word of the command; what stands in none comes last. */
const GROUPS: readonly [title: string, words: string][] = [
  ["Find and read", "search ask fix how stats list index show scan read timeline get"],
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
  const operations = await Promise.all(Object.values(OPERATIONS).map((load) => load()));
  return [
    ...operations
      .filter(({ verb }) => !Object.hasOwn(PROGRAMS, verb))
      .map((operation) => ({ verb: operation.verb, usage: usage(operation), summary: operation.summary })),
    ...Object.entries(PROGRAMS).map(([verb, { usage, summary }]) => ({
      verb,
      usage: usage.split("\n")[0] ?? "",
      summary,
    })),
  ];
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

export function operationHelp(operation: Operation, columns: number): string {
  const flags = flagsOf(operation).filter(({ path }) => !operation.positionals.includes(path[0]) || path.length > 1);
  const lines = [`dex ${usage(operation)}`, "", wrap(operation.summary, columns, ""), ""];
  for (const name of operation.positionals) {
    const flag = flagsOf(operation).find(({ path }) => path[0] === name);
    lines.push(besides(`  <${name}>`, FLAG_WIDTH, flag?.description ?? "", columns));
  }
  if (operation.positionals.length > 0) lines.push("");
  for (const flag of [...flags, ...COMMON_FLAGS]) lines.push(flagLine(flag, columns));
  return lines.join("\n");
}

export function usage(operation: Operation): string {
  const required = new Set(requiredOf(operation));
  const flags = flagsOf(operation);
  const words = operation.positionals.map((name) => {
    const many = flags.find(({ path }) => path[0] === name)?.type === "list" ? "…" : "";
    return required.has(name) ? `<${name}${many}>` : `[${name}${many}]`;
  });
  return [operation.verb, ...words].join(" ");
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
