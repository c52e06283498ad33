/** `dex how`: how a command was called before, from the runs recorded in conversations. */
import * as z from "zod";
import { askedFor, bareCommand, isCallOf, variantKey } from "../../conversations/activity/shell/command_line.ts";
import {
  hasWords,
  isGeneral,
  mainWord,
  type RequestWord,
  requestWords,
} from "../../conversations/activity/shell/command_words.ts";
import { DexError } from "../../kernel/errors.ts";
import { oneLine } from "../../kernel/text.ts";
import { callerOf } from "../../search/caller.ts";
import { toFilter } from "../../search/filters/filter.ts";
import { shortAddresses } from "../../search/filters/resolve.ts";
import { type Asked, type Outcome, type PastCommand, pastCommands } from "../../search/past_commands.ts";
import { clip } from "../../text/clip.ts";
import { defineOperation } from "../operation.ts";
import { filterFields, limitField, maxTokensField } from "../shared/fields.ts";
import { withinTokens } from "../shared/within_tokens.ts";

/** Runs that are compared, those of the latest conversations first. */
const MAX_RUNS = 100_000;
const MAX_COMMAND_CHARS = 500;
/** Commands of one line that are looked for. */
const MAX_ASKED = 5;

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

export const how = defineOperation({
  name: "dex_how",
  verb: "how",
  summary: "Find earlier runs of a command, the successful ones first",
  positionals: ["command"],
  input: z.strictObject({
    command: z
      .string()
      .describe("A command, its beginning or words for it: `npm run`, `docker compose up`, `run the tests`"),
    ...filterFields,
    limit: limitField(10),
    max_tokens: maxTokensField,
  }),
  output: z.object({
    invocations: z.array(invocation),
    /** `words`: no command begins as asked, these have its words. `some_words`: no command has all of them. */
    matched: z.enum(["beginning", "words", "some_words"]).optional(),
    /** For `some_words`: the words that the commands have. */
    words: z.array(z.string()).optional(),
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
    const wanted = oneLine(input.command);
    if (wanted === "")
      throw new DexError("empty_query", "No command was given to search for.", { hint: "Try `dex how npm test`." });
    const caller = callerOf(dex, context);
    const {
      commands: ranked,
      matched,
      words,
      compared,
    } = find(wanted, (containing, asked) => {
      const runs = dex.store.shellRuns(toFilter(dex, { ...input, abandoned: false }), containing, MAX_RUNS);
      return { commands: pastCommands(runs, (no) => dex.store.byNo(no), asked, caller), compared: runs.length };
    });
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
      inputs: { candidates: compared, invocations: ranked.length },
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
      ...(ranked.length === 0 ? {} : { matched }),
      ...(ranked.length === 0 || !words ? {} : { words }),
      total: ranked.length,
      runs: { succeeded: sum("succeeded"), failed: sum("failed"), unclear: sum("unclear") },
      ...(compared === MAX_RUNS ? { searched_runs: MAX_RUNS } : {}),
    };
  },
  isEmpty: (output) => output.total === 0,
});

interface Found {
  commands: PastCommand[];
  /** The number of compared runs. */
  compared: number;
}

/** `containing`: texts of which a line must contain one. */
type Among = (containing: readonly string[], asked: Asked) => Found;

interface FoundHow extends Found {
  matched: "beginning" | "words" | "some_words";
  words?: string[];
}

/** Commands that begin as the user typed; else those that have all of the words; else those that have the main one. */
function find(wanted: string, among: Among): FoundHow {
  const found = findCalls(wanted, among);
  const words = requestWords(wanted);
  if (found.commands.length > 0 || words.length === 0) return { ...found, matched: "beginning" };
  const all = findNamed(words, among);
  const main = mainWord(words);
  if (all.commands.length > 0 || words.length === 1 || !main || isCommandLine(wanted, among))
    return { ...all, matched: "words" };
  return { ...findNamed([main], among), matched: "some_words", words: [main.typed] };
}

/** Whether the user typed a command, although it never ran like this, and not words for one. */
function isCommandLine(wanted: string, among: Among): boolean {
  const [program = ""] = bareCommand(wanted).split(" ");
  const accepts = (command: string): boolean => bareCommand(command).split(" ")[0] === program;
  return among([program], { accepts, isAsked: accepts }).commands.length > 0;
}

function findNamed(words: readonly RequestWord[], among: Among): Found {
  const shortest = ({ names }: RequestWord): number => Math.min(...names.map((name) => name.length));
  const rarest = words.reduce((a, b) => (shortest(b) > shortest(a) ? b : a));
  return among(rarest.names, { accepts: (command) => hasWords(bareCommand(command), words), isAsked: isGeneral });
}

/** Calls of the first command in the line that was ever run: exactly as typed, or differing only as variants do. */
function findCalls(line: string, among: Among): Found {
  let found: Found = { commands: [], compared: 0 };
  const keys = new Set(askedFor(line).map(variantKey));
  const isAsked = (command: string): boolean => keys.has(variantKey(command));
  for (const wanted of askedFor(line).slice(0, MAX_ASKED)) {
    found = among([longestOf(wanted.split(" "))], { accepts: (command) => isCallOf(command, wanted), isAsked });
    const key = variantKey(wanted);
    if (found.commands.length === 0 && key !== wanted) {
      const accepts = (command: string): boolean => isCallOf(variantKey(command), key);
      found = among([longestOf(key.split(/\s|<\w+>/))], { accepts, isAsked });
    }
    if (found.commands.length > 0) break;
  }
  return found;
}

function longestOf(words: readonly string[]): string {
  return words.reduce((a, b) => (b.length > a.length ? b : a));
}
