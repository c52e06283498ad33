/** `dex search`: conversations, documentation and code that match a query. */
import * as z from "zod";
import { ROLES } from "../../conversations/model.ts";
import { SEARCH_DEFAULTS } from "../../search/conversations.ts";
import { facetsField, searchResult } from "../../search/results/result_schema.ts";
import { searchIn } from "../../search/search.ts";
import { defineOperation, SYNC_BEFORE } from "../operation.ts";
import {
  choiceFields,
  filterFields,
  limitField,
  maxTokensField,
  offsetField,
  sessionField,
  subagentsField,
} from "../shared/fields.ts";
import { withinTokens } from "../shared/within_tokens.ts";

const input = z.strictObject({
  query: z.string().describe('Words; "exact words", -without, project:x, file:x, after:7d'),
  regex: z.boolean().default(SEARCH_DEFAULTS.regex).describe("The query is a regular expression; newest results first"),
  file: z.string().optional().describe("Part of a touched file's path"),
  in: z.enum(["conversations", "documents", "code", "all"]).default(SEARCH_DEFAULTS.in).describe("Where to look"),
  ...filterFields,
  subagents: subagentsField(SEARCH_DEFAULTS.subagents),
  session: sessionField,
  role: z.enum(ROLES).optional().describe("Only of this role"),
  tool: z.string().optional().describe("Only messages using this tool"),
  mode: z
    .enum(["hybrid", "lexical", "vector"])
    .default(SEARCH_DEFAULTS.mode)
    .describe("Rank by words and meaning, by words alone, or by meaning alone"),
  limit: limitField(SEARCH_DEFAULTS.limit),
  offset: offsetField,
  max_tokens: maxTokensField,
  ...choiceFields,
  team: choiceFields.team.describe("Only conversations that the team shares; with its decisions and notes"),
  facets: z.boolean().default(SEARCH_DEFAULTS.facets).describe("Count matches by agent, project, month and role"),
  explain: z.boolean().default(SEARCH_DEFAULTS.explain).describe("Explain the rank of each result"),
});

const output = z.object({
  results: z.array(searchResult),
  /** How many results match; conversations as `matches` says. */
  total: z.number(),
  /** With `in: all`: the parts of `total`. */
  totals: z.object({ conversations: z.number(), passages: z.number(), definitions: z.number() }).optional(),
  /** Results that `max_tokens` left out. */
  left_out: z.number().optional(),
  /** The meaning of `total`: conversations with the quoted or regular expression, with all words, or with any of them. */
  matches: z.enum(["exact", "all", "any"]).optional(),
  /** Conversations with any of the words, or with a similar meaning if `mode` includes vectors: all that can be listed. */
  total_any: z.number().optional(),
  /**
   * False if `total` and `total_any` are lower bounds: dex has not read every message that may contain what is quoted, or
   * stopped counting definitions.
   */
  total_complete: z.boolean().optional(),
  facets: facetsField.optional(),
  /** The words and phrases that were searched for. */
  words: z.array(z.string()).optional(),
  mode: z.enum(["hybrid", "lexical", "vector"]).optional(),
  /** With `team` or `by`: decisions and notes of other members that have words of the query, the best first. */
  team_notes: z
    .array(
      z.object({
        kind: z.string(),
        author: z.string(),
        text: z.string(),
        because: z.string().optional(),
        scope: z.string(),
        date: z.string(),
      }),
    )
    .optional(),
  /** Explains why the results differ from the query, when they do. */
  note: z.string().optional(),
  did_you_mean: z.array(z.string()).optional(),
  /** With `explain`: near misses that are not among the results. */
  dropped: z
    .array(z.object({ id: z.string(), message_index: z.number().nullable(), likeness: z.number(), reason: z.string() }))
    .optional(),
});

export const search = defineOperation({
  name: "dex_search",
  verb: "search",
  summary: "Find conversations by what was said or done",
  positionals: ["query"],
  input,
  output,
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  syncBeforeFor: (input) => SYNC_BEFORE[input.in],
  readsArchive: true,
  traced: true,
  toolset: "conversations",
  unlisted: ["explain", "mode", "subagents", "team", "local", "by", "max_tokens"],
  // A regular expression may need every text, and the team's are elsewhere.
  shared: ({ local, regex }) => !local && !regex,
  run: async (dex, input, context) => {
    const output = fitted(await searchIn(dex, input, context), input.max_tokens);
    if (!input.team && input.by === undefined) return output;
    const { findTeamNotes } = await import("../../project/team/notes.ts");
    const team_notes = findTeamNotes(dex, output.words?.join(" ") ?? input.query, input.by);
    if (
      input.by !== undefined &&
      output.results.length + team_notes.length === 0 &&
      dex.store.count({ owner: input.by }) === 0
    )
      context.notice?.(`No conversation here is of a member called "${input.by}"; \`dex team members\` lists them.`);
    return team_notes.length === 0 ? output : { ...output, team_notes };
  },
  isEmpty: (output) => output.results.length === 0 && (output.team_notes ?? []).length === 0,
});

type Found = Awaited<ReturnType<typeof searchIn>>;

function fitted(found: Found, maxTokens: number | undefined): Found & { left_out?: number } {
  const results = withinTokens(found.results, maxTokens, ({ id, title, snippet, date, project }) => [
    title,
    ...[id, date, project ?? ""],
    snippet,
  ]);
  const left_out = found.results.length - results.length;
  return left_out === 0 ? found : { ...found, results, left_out };
}
