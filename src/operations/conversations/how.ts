/** `dex how`: how a command was called before, from the successful runs recorded in conversations. */
import * as z from "zod";
import { outcomeOf } from "../../conversations/activity/outcome.ts";
import { shellCommand } from "../../conversations/activity/tools.ts";
import type { Message, ToolResultPart } from "../../conversations/model.ts";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { toFilter } from "../../search/filters/filter.ts";
import { shortAddresses } from "../../search/filters/resolve.ts";
import { loadMessages } from "../../search/messages.ts";
import { parseQuery } from "../../search/query/query.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { defineOperation } from "../operation.ts";
import { filterFields, limitField } from "../shared/fields.ts";

/** Messages that contain the command's words. Each is read. */
const MAX_CANDIDATES = 600;
/** The result of a call is expected within this many messages. */
const MAX_RESULT_DISTANCE = 8;
const MAX_COMMAND_CHARS = 500;

const invocation = z.object({
  command: z.string(),
  /** Null when the agent recorded no status and reported no error. */
  exit_code: z.number().nullable(),
  times: z.number(),
  date: z.string(),
  project: z.string(),
  source: z.string(),
  /** The latest place: id#index. */
  address: z.string(),
});

type Invocation = Omit<z.output<typeof invocation>, "address"> & { row: ConversationRow; index: number; at: number };

export const how = defineOperation({
  name: "dex_how",
  verb: "how",
  summary: "Find earlier successful runs of a command",
  positionals: ["command"],
  input: z.strictObject({
    command: z.string().describe("A command or its beginning: `npm run`, `docker compose up`, `psql`"),
    ...filterFields,
    limit: limitField(10),
  }),
  output: z.object({
    invocations: z.array(invocation),
    total: z.number(),
    /** The number of messages read, set when more messages contain the words. */
    searched_messages: z.number().optional(),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  traced: true,
  toolset: "memory",
  queryField: "command",
  run: (dex, input, context) => {
    const query = parseQuery(input.command);
    if (!query)
      throw new DexError("empty_query", "No command was given to search for.", { hint: "Try `dex how npm test`." });
    const terms = { terms: query.terms, required: query.terms, role: "assistant" as const };
    const hits = dex.store.searchMessages(terms, toFilter(dex, input), MAX_CANDIDATES);
    const address = shortAddresses(dex);
    const found = new Map<string, Invocation>();
    for (const hit of hits) {
      const row = dex.store.byNo(hit.no);
      if (!row) continue;
      for (const each of invocationsAt(dex, row, hit.index, input.command)) {
        const known = found.get(each.command);
        const latest = known && known.at > each.at ? known : each;
        found.set(each.command, { ...latest, times: (known?.times ?? 0) + 1 });
      }
    }
    const ranked = [...found.values()].sort(
      (a, b) => b.times - a.times || b.at - a.at || (a.command < b.command ? -1 : 1),
    );
    context.trace?.({
      query: input.command,
      inputs: { candidates: hits.length, invocations: ranked.length },
      ranking: ranked.slice(0, input.limit).map(({ row, index, source, times, command }) => ({
        id: `${row.id}#${index}`,
        source,
        score: times,
        summary: command,
      })),
      budgets: { limit: input.limit },
    });
    return {
      invocations: ranked
        .slice(0, input.limit)
        .map(({ at, row, index, ...rest }) => ({ ...rest, address: `${address(row)}#${index}` })),
      total: ranked.length,
      ...(hits.length === MAX_CANDIDATES ? { searched_messages: MAX_CANDIDATES } : {}),
    };
  },
  isEmpty: (output) => output.invocations.length === 0,
});

/** The successful calls of the command in this message. */
function invocationsAt(dex: Dex, row: ConversationRow, index: number, wanted: string): Invocation[] {
  const [first, ...after] = loadMessages(dex, row, index, Math.min(row.messages, index + MAX_RESULT_DISTANCE));
  if (!first) return [];
  const results = after.flatMap(({ message }) => message.parts).filter((part) => part.type === "tool_result");
  return callsIn(first.message, wanted).flatMap(({ id, command }) => {
    const result =
      results.find((each) => id !== undefined && each.id === id) ?? (id === undefined ? results[0] : undefined);
    if (!result || !worked(result)) return [];
    return [
      {
        command,
        exit_code: result.exit_code ?? null,
        times: 1,
        date: new Date(row.updated).toISOString(),
        project: row.project ?? "",
        source: row.source,
        row,
        index,
        at: first.message.time ? Date.parse(first.message.time) : row.updated,
      },
    ];
  });
}

function callsIn(message: Message, wanted: string): { id: string | undefined; command: string }[] {
  return message.parts.flatMap((part) => {
    const command = part.type === "tool_call" ? shellCommand(part) : undefined;
    if (part.type !== "tool_call" || command === undefined || !runs(command, wanted)) return [];
    return [{ id: part.id, command: command.replace(/\s+/g, " ").trim().slice(0, MAX_COMMAND_CHARS) }];
  });
}

/** True when the command line, or one of the commands chained in it, begins with the wanted command. */
function runs(command: string, wanted: string): boolean {
  const prefix = wanted.replace(/\s+/g, " ").trim().toLowerCase();
  return command
    .split(/&&|\|\||[;|\n(]/)
    .map((piece) =>
      piece
        .replace(/\s+/g, " ")
        .trim()
        .replace(/^(?:sudo |env |time |\w+=\S* )+/, "")
        .toLowerCase(),
    )
    .some((piece) => piece === prefix || piece.startsWith(`${prefix} `) || piece.startsWith(`${prefix}:`));
}

function worked(result: ToolResultPart): boolean {
  return outcomeOf(result) === "passed";
}
