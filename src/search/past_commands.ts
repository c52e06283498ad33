/** The commands that conversations ran, each with its variants counted, the most useful ones first. */
import { bareCommand, commandsIn, variantKey } from "../conversations/activity/shell/command_line.ts";
import { isBelow } from "../kernel/files/paths.ts";
import type { Caller } from "../ranking/query.ts";
import type { ConversationRow, ShellRun } from "../store/ports.ts";

/** The age that halves the weight of a command's runs. */
const HALF_LIFE_MS = 180 * 86_400_000;
/** The factor for a command that succeeded in the caller's own project. */
const HERE_FACTOR = 10;
/** The factor for the command as asked for: `npm run lint` before `npm run lint:fix` or `npm run lint src/a.ts`. */
const ASKED_FACTOR = 10;
/** The weight of a run whose outcome is unclear, beside that of a successful one. */
const UNCLEAR_WEIGHT = 1 / 8;

export type Outcome = "succeeded" | "failed" | "unclear";

export interface PastCommand {
  succeeded: number;
  failed: number;
  unclear: number;
  commands: Set<string>;
  /** The run that is shown. */
  shown: { command: string; outcome: Outcome; run: ShellRun; row: ConversationRow; at: number; isHere: boolean };
  /** The command is the one asked for, and not one that only begins like it. */
  isAsked: boolean;
  score: number;
}

/** The commands that a caller asks for. */
export interface Asked {
  /** Whether a command of a line is one of them, begins like one or has their words. */
  accepts: (command: string) => boolean;
  /** Whether an accepted command, without variables before it, is one of them. */
  isAsked: (command: string) => boolean;
}

export function pastCommands(
  runs: readonly ShellRun[],
  rowOf: (no: number) => ConversationRow | undefined,
  asked: Asked,
  { roots, projectBoost }: Pick<Caller, "roots" | "projectBoost">,
): PastCommand[] {
  const rows = new Map<number, ConversationRow | undefined>();
  const groups = new Map<string, PastCommand>();
  const isHere = ({ project }: ConversationRow): boolean =>
    projectBoost > 0 && project != null && roots.some((root) => isBelow(root, project));
  for (const run of runs) {
    if (!rows.has(run.no)) rows.set(run.no, rowOf(run.no));
    const row = rows.get(run.no);
    if (row) addRun(groups, run, row, asked, isHere(row));
  }
  return rank([...groups.values()]);
}

/** Counts the run once for each distinct call of the command in its line. */
function addRun(
  groups: Map<string, PastCommand>,
  run: ShellRun,
  row: ConversationRow,
  asked: Asked,
  isHere: boolean,
): void {
  const folder = folderOf(run.command, row.project ?? "");
  const at = run.time ?? row.updated;
  const seen = new Set<string>();
  for (const { text, isPiped, hidesExit } of commandsIn(run.command)) {
    if (!asked.accepts(text)) continue;
    const command = folder === "" ? text : `cd ${folder} && ${text}`;
    const key = variantKey(command);
    if (seen.has(key)) continue;
    seen.add(key);
    const outcome = hidesExit ? "unclear" : outcomeOf(run, isPiped);
    const shown = { command, outcome, run, row, at, isHere };
    const isAsked = asked.isAsked(bareCommand(text));
    const counts = { succeeded: 0, failed: 0, unclear: 0 };
    const group = groups.get(key) ?? { ...counts, commands: new Set(), shown, isAsked, score: 0 };
    group[outcome] += 1;
    group.commands.add(command);
    if (isBetter(shown, group.shown)) group.shown = shown;
    groups.set(key, group);
  }
}

/** The folder inside the project in which the line runs; empty for the project's root and for a folder outside. */
function folderOf(line: string, project: string): string {
  const [, quoted, bare] = /^\s*cd (?:"([^"]+)"|([^\s;&|]+)) ?(?:&&|;|\n)/.exec(line) ?? [];
  const folder = (quoted ?? bare ?? "").replace(/(?<!\/)\/+$/, "").replace(/^\.\//, "");
  if (project !== "" && folder.startsWith(`${project}/`)) return folder.slice(project.length + 1);
  return /^(?:[/~$.]|[A-Za-z]:)/.test(folder) ? "" : folder;
}

/**
 * The exit status of a pipe is that of its last command, so the outcome of an earlier one, such as a search, is
 * unclear.
 */
function outcomeOf({ outcome }: ShellRun, isPiped: boolean): Outcome {
  if (outcome === "passed") return "succeeded";
  if (outcome === "reported") return isPiped ? "failed" : "succeeded";
  return outcome === "failed" && !isPiped ? "failed" : "unclear";
}

function isBetter(a: PastCommand["shown"], b: PastCommand["shown"]): boolean {
  const bySuccess = Number(a.outcome === "succeeded") - Number(b.outcome === "succeeded");
  const byPlace = Number(a.isHere) - Number(b.isHere);
  return (bySuccess || byPlace || a.at - b.at) > 0;
}

/** By frequency of success, reliability and recency; the command asked for, and those of the caller's project, first. */
function rank(groups: PastCommand[]): PastCommand[] {
  const latest = groups.reduce((time, { shown }) => Math.max(time, shown.at), 0);
  for (const group of groups) {
    const { succeeded, failed, unclear, shown } = group;
    const reliable = (succeeded + 1) / (succeeded + failed + 2);
    group.score =
      Math.log2(1 + succeeded + unclear * UNCLEAR_WEIGHT) * reliable * 2 ** ((shown.at - latest) / HALF_LIFE_MS);
    if (shown.isHere) group.score *= HERE_FACTOR;
    if (group.isAsked) group.score *= ASKED_FACTOR;
  }
  return groups.sort(
    (a, b) => b.score - a.score || b.shown.at - a.shown.at || (a.shown.command < b.shown.command ? -1 : 1),
  );
}
