/** Input and output fields that several verbs share, so that each has one name, one type and one description. */
import * as z from "zod";
import { PARENT_KINDS } from "../../conversations/model.ts";
import { formatCount } from "../../kernel/text.ts";
import { changedField, originFields } from "../../search/results/result_schema.ts";

/** Results or messages that one call can request. */
export const MAX_RESULTS = 10_000;

export const filterFields = {
  project: z.string().optional().describe("Part of the project path, or . for this project"),
  source: z.string().optional().describe("Agent: claude_code, codex, …"),
  from: z.string().optional().describe("Active on or after: 2026-01-31, today, 7d"),
  to: z.string().optional().describe("Active on or before"),
};

/** Chooses among the conversations of this home and of its team. */
export const choiceFields = {
  team: z.boolean().default(false).describe("Only conversations that the team shares"),
  local: z.boolean().default(false).describe("Only conversations of this home"),
  by: z.string().max(100).optional().describe("Only conversations of this member of the team"),
};

export const limitField = (fallback: number) =>
  z
    .int("must be a whole number")
    .min(0, "must not be negative")
    .max(MAX_RESULTS, `must be at most ${formatCount(MAX_RESULTS)}`)
    .default(fallback)
    .describe("Maximum results");

export const offsetField = z
  .int("must be a whole number")
  .min(0, "must not be negative")
  .default(0)
  .describe("Results to skip");

export const countField = (fallback: number, what: string) =>
  z
    .int("must be a whole number")
    .min(0, "must not be negative")
    .max(MAX_RESULTS, `must be at most ${formatCount(MAX_RESULTS)}`)
    .default(fallback)
    .describe(what);

export const maxTokensField = z
  .int("must be a whole number")
  .min(1, "must be positive")
  .optional()
  .describe("Maximum tokens to return");

/** Whether conversations of subagents are included. */
export const subagentsField = (fallback: boolean) =>
  z
    .boolean()
    .default(fallback)
    .describe(fallback ? "With conversations of subagents" : "Include conversations of subagents");

/** Branches of a conversation that the person left behind. */
export const abandonedField = z.boolean().default(false).describe("Include abandoned branches of conversations");

/** A conversation in a list. */
export const listedConversation = z.object({
  id: z.string(),
  title: z.string(),
  project: z.string(),
  source: z.string(),
  date: z.string(),
  message_count: z.number(),
  estimated_tokens: z.number(),
  /** The conversation that started it as a subagent, or from which it was forked. */
  parent: z.string().optional(),
  parent_kind: z.enum(PARENT_KINDS).optional(),
  ...originFields,
  changed_since: changedField,
});

/** `project` of a verb about one project, where `project` of `filterFields` narrows a list. */
export const projectFolderField = z
  .string()
  .max(4096)
  .optional()
  .describe("Folder or name of the project (default: the current one)");

/** Limits a retrieval to one conversation. */
export const sessionField = z.string().default("all").describe("all, current, or a conversation's id");
