/** Input and output fields that several verbs share, so that each has one name, one type and one description. */
import * as z from "zod";
import { formatCount } from "../../kernel/text.ts";
import { changedField } from "../../search/result_schema.ts";

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

export const repositoryField = z
  .string()
  .max(4096)
  .optional()
  .describe("Folder in the repository; the current one when absent");

/** Which conversation a retrieval is limited to. */
export const sessionField = z.string().default("all").describe("all, current, or a conversation's id");
