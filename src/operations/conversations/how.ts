/** `dex how`: how a command was called before, from the runs recorded in conversations. */
import * as z from "zod";
import { commandsIn, isCallOf, variantKey } from "../../conversations/activity/command_line.ts";
import { DexError } from "../../kernel/errors.ts";
import { toFilter } from "../../search/filters/filter.ts";
import { shortAddresses } from "../../search/filters/resolve.ts";
import type { ConversationRow, ShellRun } from "../../store/ports.ts";
import { clip } from "../../text/clip.ts";
import { defineOperation } from "../operation.ts";
import { filterFields, limitField, maxTokensField } from "../shared/fields.ts";
import { withinTokens } from "../shared/within_tokens.ts";

/** Runs that are compared, those of the latest conversations first. */
const MAX_RUNS = 100_000;
const MAX_COMMAND_CHARS = 500;
/** An equally successful command that was last run so long before counts half. */
const HALF_LIFE_MS = 180 * 86_400_000;

const counts = {
  /** The command line ended without an error. */
  succeeded: z.number(),
  failed: z.number(),
  /** Not run, interrupted, without a recorded result, or followed by a command that hides the exit status. */
  unclear: z.number(),
};

const invocation = z.object({
  /** The latest successful run, or the latest run if none succeeded, without pipes and redirections. */
  command: z.string(),
  ...counts,
  /** The number of different commands counted here: they differ in numbers, ids, temporary paths or messages. */
  variants: z.number(),
  /** Of that run; null when the agent recorded none. */
  exit_code: z.number().nullable(),
  date: z.string(),
  project: z.string(),
  source: z.string(),
  /** The place of that run: id#index. */
  address: z.string(),
});

type Outcome = keyof typeof counts;

interface Group {
  succeeded: number;
  failed: number;
  unclear: number;
  commands: Set<string>;
  /** The run that is shown. */
  shown: { command: string; outcome: Outcome; run: ShellRun; row: ConversationRow; at: number };
  score: number;
}

export const how = defineOperation({
  name: "dex_how",
  verb: "how",
  summary: "Find earlier runs of a command, the successful ones first",
  positionals: ["command"],
  input: z.strictObject({
    command: z.string().describe("A command or its beginning: `npm run`, `docker compose up`, `psql`"),
    ...filterFields,
    limit: limitField(10),
    max_tokens: maxTokensField,
  }),
  output: z.object({
    invocations: z.array(invocation),
    /** The number of different commands. */
    total: z.number(),
    /** All runs of all of them; a line that calls two of them counts for both. */
    runs: z.object(counts),
    /** Set when there are more runs than dex looks at: the number of the latest ones that it looked at. */
    searched_runs: z.number().optional(),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  traced: true,
  toolset: "memory",
  queryField: "command",
  run: (dex, input, context) => {
    const wanted = input.command.replace(/\s+/g, " ").trim();
    if (wanted === "")
      throw new DexError("empty_query", "No command was given to search for.", { hint: "Try `dex how npm test`." });
    const longest = wanted.split(" ").reduce((a, b) => (b.length > a.length ? b : a));
    const runs = dex.store.shellRuns(toFilter(dex, { ...input, abandoned: false }), longest, MAX_RUNS);
    const rows = new Map<number, ConversationRow | undefined>();
    const groups = new Map<string, Group>();
    for (const run of runs) {
      if (!rows.has(run.no)) rows.set(run.no, dex.store.byNo(run.no));
      const row = rows.get(run.no);
      if (row) addRun(groups, run, row, wanted);
    }
    const ranked = rank([...groups.values()]);
    const address = shortAddresses(dex);
    const sum = (of: Outcome): number => ranked.reduce((total, group) => total + group[of], 0);
    const all = ranked.slice(0, input.limit).map(({ succeeded, failed, unclear, commands, shown }) => ({
      command: clip(shown.command, MAX_COMMAND_CHARS),
      succeeded,
      failed,
      unclear,
      variants: commands.size,
      exit_code: shown.run.exit_code,
      date: new Date(shown.at).toISOString(),
      project: shown.row.project ?? "",
      source: shown.row.source,
      address: `${address(shown.row)}#${shown.run.index}`,
    }));
    const invocations = withinTokens(all, input.max_tokens, (each) => [
      ...[each.command, each.project, each.address, each.date],
      ...[each.succeeded, each.failed, each.unclear, each.variants],
    ]);
    context.trace?.({
      query: input.command,
      inputs: { candidates: runs.length, invocations: ranked.length },
      ranking: ranked.slice(0, invocations.length).map(({ shown, score }) => ({
        id: `${shown.row.id}#${shown.run.index}`,
        source: shown.row.source,
        score,
        summary: shown.command,
      })),
      budgets: { limit: input.limit, ...(input.max_tokens === undefined ? {} : { max_tokens: input.max_tokens }) },
    });
    return {
      invocations,
      total: ranked.length,
      runs: { succeeded: sum("succeeded"), failed: sum("failed"), unclear: sum("unclear") },
      ...(runs.length === MAX_RUNS ? { searched_runs: MAX_RUNS } : {}),
    };
  },
  isEmpty: (output) => output.total === 0,
});

/** Counts the run once for each different call of the command in its line. */
function addRun(groups: Map<string, Group>, run: ShellRun, row: ConversationRow, wanted: string): void {
  const folder = folderOf(run.command, row.project ?? "");
  const at = run.time ?? row.updated;
  const seen = new Set<string>();
  for (const { text, isPiped, hidesExit } of commandsIn(run.command)) {
    if (!isCallOf(text, wanted)) continue;
    const command = folder === "" ? text : `cd ${folder} && ${text}`;
    const key = variantKey(command);
    if (seen.has(key)) continue;
    seen.add(key);
    const outcome = hidesExit ? "unclear" : outcomeOf(run, isPiped);
    const shown = { command, outcome, run, row, at };
    const group = groups.get(key) ?? { succeeded: 0, failed: 0, unclear: 0, commands: new Set(), shown, score: 0 };
    group[outcome] += 1;
    group.commands.add(command);
    if (isBetter(shown, group.shown)) group.shown = shown;
    groups.set(key, group);
  }
}

/** A folder inside the project in which the line runs; empty for the project's own, and for one outside. */
function folderOf(line: string, project: string): string {
  const [, quoted, bare] = /^\s*cd (?:"([^"]+)"|([^\s;&|]+)) ?(?:&&|;|\n)/.exec(line) ?? [];
  const folder = (quoted ?? bare ?? "").replace(/\/+$/, "").replace(/^\.\//, "");
  if (folder.startsWith(`${project}/`)) return folder.slice(project.length + 1);
  return /^(?:[/~$.]|[A-Za-z]:)/.test(folder) ? "" : folder;
}

/** The exit status of a pipe is that of its last command, so a failing search in the output proves nothing. */
function outcomeOf({ outcome }: ShellRun, isPiped: boolean): Outcome {
  if (outcome === "passed") return "succeeded";
  if (outcome === "reported") return isPiped ? "failed" : "succeeded";
  return outcome === "failed" && !isPiped ? "failed" : "unclear";
}

function isBetter(a: Group["shown"], b: Group["shown"]): boolean {
  const bySuccess = Number(a.outcome === "succeeded") - Number(b.outcome === "succeeded");
  return bySuccess > 0 || (bySuccess === 0 && a.at > b.at);
}

/** Commands that succeeded before those that did not; often, reliably and lately run ones first. */
function rank(groups: Group[]): Group[] {
  const latest = groups.reduce((time, { shown }) => Math.max(time, shown.at), 0);
  for (const group of groups) {
    const { succeeded, failed, shown } = group;
    const reliable = (succeeded + 1) / (succeeded + failed + 2);
    group.score = Math.log2(1 + succeeded) * reliable * 2 ** ((shown.at - latest) / HALF_LIFE_MS);
  }
  return groups.sort(
    (a, b) => b.score - a.score || b.shown.at - a.shown.at || (a.shown.command < b.shown.command ? -1 : 1),
  );
}
