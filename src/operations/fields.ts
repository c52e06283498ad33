/** Input and output fields that several verbs share, so that each has one name, one type and one description. */
import * as z from "zod";
import type { Dex } from "../dex.ts";
import { DexError } from "../kernel/errors.ts";
import { parseDate } from "../kernel/time.ts";
import type { ConversationFilter, ConversationRow } from "../store/ports.ts";

/** How many of the files a conversation edited have changed since. Absent: it edited none, or it cannot be known. */
export const changedField = z.object({ files: z.number(), of: z.number() }).optional();

/** Results, or messages, that one call can ask for. */
export const MOST = 10_000;

export const filterFields = {
  project: z.string().optional().describe("Part of the project path"),
  source: z.string().optional().describe("Agent: claude_code, codex, cursor, …"),
  from: z.string().optional().describe("Active on or after: 2026-01-31, today, 7d, 2w"),
  to: z.string().optional().describe("Active on or before"),
};

export const limitField = (usual: number) =>
  z.int("must be a whole number").min(0, "must not be negative").max(MOST).default(usual).describe("Maximum results");

export const offsetField = z
  .int("must be a whole number")
  .min(0, "must not be negative")
  .default(0)
  .describe("Results to skip");

export const countField = (usual: number, what: string) =>
  z.int("must be a whole number").min(0, "must not be negative").max(MOST).default(usual).describe(what);

export const maxTokensField = z
  .int("must be a whole number")
  .min(1, "must be positive")
  .optional()
  .describe("Maximum tokens to return");

/** How a conversation is listed. */
export const listedConversation = z.object({
  id: z.string(),
  title: z.string(),
  project: z.string(),
  source: z.string(),
  date: z.string(),
  message_count: z.number(),
  estimated_tokens: z.number(),
  parent: z.string().optional(),
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
    ...(row.parent === null ? {} : { parent: row.parent }),
  };
}

export interface FilterInput {
  project?: string;
  source?: string;
  from?: string;
  to?: string;
  file?: string;
}

export function toFilter(dex: Dex, input: FilterInput): ConversationFilter {
  const now = new Date(dex.now());
  const from = input.from === undefined ? undefined : Date.parse(parseDate(input.from, "start", now));
  const to = input.to === undefined ? undefined : Date.parse(parseDate(input.to, "end", now));
  if (from !== undefined && to !== undefined && from > to) {
    throw new DexError("bad_date", `--from ${input.from} is after --to ${input.to}.`, { hint: "Swap the two dates." });
  }
  return { project: input.project, source: input.source, from, to, file: input.file };
}
