/** Input and output fields that several verbs share, so that each has one name, one type and one description. */
import * as z from "zod";
import type { ParentKind } from "../../conversations/model.ts";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { formatCount } from "../../kernel/text.ts";
import { parseDate } from "../../kernel/time.ts";
import type { ConversationFilter, ConversationRow } from "../../store/ports.ts";
import { knownProject, knownSource } from "./known_names.ts";

/** How many of the files a conversation edited have changed since. Absent: it edited none, or it cannot be known. */
export const changedField = z.object({ files: z.number(), of: z.number() }).optional();

/** Results, or messages, that one call can ask for. */
export const MOST = 10_000;

export const filterFields = {
  project: z.string().optional().describe("Part of the project path, or ."),
  source: z.string().optional().describe("Agent: claude_code, codex, …"),
  from: z.string().optional().describe("Active on or after: 2026-01-31, today, 7d"),
  to: z.string().optional().describe("Active on or before"),
};

export const limitField = (usual: number) =>
  z
    .int("must be a whole number")
    .min(0, "must not be negative")
    .max(MOST, `must be at most ${formatCount(MOST)}`)
    .default(usual)
    .describe("Maximum results");

export const offsetField = z
  .int("must be a whole number")
  .min(0, "must not be negative")
  .default(0)
  .describe("Results to skip");

export const countField = (usual: number, what: string) =>
  z
    .int("must be a whole number")
    .min(0, "must not be negative")
    .max(MOST, `must be at most ${formatCount(MOST)}`)
    .default(usual)
    .describe(what);

export const maxTokensField = z
  .int("must be a whole number")
  .min(1, "must be positive")
  .optional()
  .describe("Maximum tokens to return");

/** Whether conversations of subagents count: one name in every verb that asks. */
export const subagentsField = (usual: boolean) =>
  z
    .boolean()
    .default(usual)
    .describe(usual ? "With the conversations of subagents" : "Also the conversations of subagents");

/** How a conversation is listed. */
export const listedConversation = z.object({
  id: z.string(),
  title: z.string(),
  project: z.string(),
  source: z.string(),
  date: z.string(),
  message_count: z.number(),
  estimated_tokens: z.number(),
  /** The conversation that started it, as a subagent or by a fork. */
  parent: z.string().optional(),
  parent_kind: z.enum(["subagent", "fork"]).optional(),
  changed_since: changedField,
});

export function listed(row: ConversationRow): z.output<typeof listedConversation> {
  return {
    id: row.id,
    title: row.title,
    project: row.project ?? "",
    source: row.source,
    date: new Date(row.updated).toISOString(),
    message_count: row.messages,
    estimated_tokens: row.tokens,
    ...parentOf(row),
  };
}

export function parentOf({ parent, parent_kind }: ConversationRow): { parent?: string; parent_kind?: ParentKind } {
  if (parent === null) return {};
  return { parent, ...(parent_kind === null ? {} : { parent_kind }) };
}

export interface FilterInput {
  project?: string;
  source?: string;
  from?: string;
  to?: string;
  file?: string;
  subagents?: boolean;
}

export function toFilter(dex: Dex, input: FilterInput): ConversationFilter {
  const now = new Date(dex.now());
  const from = input.from === undefined ? undefined : Date.parse(parseDate(input.from, "start", now));
  const to = input.to === undefined ? undefined : Date.parse(parseDate(input.to, "end", now));
  if (from !== undefined && to !== undefined && from > to) {
    throw new DexError("bad_date", `--from ${input.from} is after --to ${input.to}.`, { hint: "Swap the two dates." });
  }
  return {
    ...(input.project === undefined ? {} : knownProject(dex, input.project)),
    source: input.source === undefined ? undefined : knownSource(dex, input.source),
    from,
    to,
    file: input.file,
    subagents: input.subagents === false ? false : undefined,
  };
}
