/** `dex suggest`: context for the current work, ranked by the probability that it is useful. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { insidePath } from "../../history/repository.ts";
import { withoutInjected } from "../../integrations/hooks/injected.ts";
import { currentSession } from "../../integrations/session.ts";
import { defined } from "../../kernel/defined.ts";
import { repositoryOf } from "../../project/repository.ts";
import { originOf } from "../../search/results/describe.ts";
import { originFields } from "../../search/results/result_schema.ts";
import { recordUses } from "../../suggest/feedback/implicit_feedback.ts";
import { ITEM_TYPES, SUGGESTION_STATUSES, type SuggestionItem, TRIGGERS, type Trigger } from "../../suggest/model.ts";
import { suggestFor } from "../../suggest/suggest.ts";
import { ageInWords } from "../../suggest/text.ts";
import { defineOperation } from "../operation.ts";
import { choiceFields, maxTokensField, projectFolderField } from "../shared/fields.ts";

const DAY_MS = 86_400_000;
const MAX_RECENT_FILES = 20;

const path = z.string().min(1).max(4096);
const position = z.int("must be a whole number").min(0, "must not be negative").max(100_000_000);

export const itemOutput = z.object({
  type: z.enum(ITEM_TYPES),
  title: z.string(),
  summary: z.string(),
  /** The estimated probability that it is useful. */
  relevanceScore: z.number(),
  entityId: z.string(),
  /** Where to open it: a path with a line, source:id#index (dex_get), a commit, collection:path#section. */
  actionUrl: z.string(),
  reason: z.string(),
  /** Its source in words: a conversation by its title, a commit. Empty if the address says it all. */
  from: z.string(),
  time: z.string().nullable(),
  /** The age in words; `ageDays` in days. */
  age: z.string().nullable(),
  ageDays: z.number().nullable(),
  ...originFields,
});

export const suggest = defineOperation({
  name: "context_suggest",
  verb: "suggest",
  summary: "Suggest context for the current work: decisions, changes, docs, related code, warnings",
  positionals: ["prompt"],
  input: z.strictObject({
    session: z.string().max(300).optional().describe("The conversation it is for (default: the current one)"),
    project: projectFolderField,
    file: path.optional().describe("The open file"),
    symbol: z.string().min(1).max(500).optional().describe("The current function or class"),
    position: z
      .strictObject({ line: position.describe("Line in the file"), column: position.optional().describe("Column") })
      .optional(),
    recent_files: z.array(path).max(MAX_RECENT_FILES).default([]).describe("Recently open files, latest first"),
    prompt: z.string().max(100_000).optional().describe("The task, in words"),
    min_relevance: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe("Leave out items below this chance, from 0 to 1 (default 0; 0.2 if nothing is named or changed)"),
    limit: z.int("must be a whole number").min(1).max(50).optional().describe("Maximum suggestions"),
    max_tokens: maxTokensField,
    ...choiceFields,
  }),
  output: z.object({
    id: z.string(),
    sessionId: z.string().nullable(),
    projectId: z.string(),
    createdAt: z.string(),
    trigger: z.object({ type: z.enum(TRIGGERS), source: z.string() }),
    suggestions: z.array(itemOutput),
    status: z.enum(SUGGESTION_STATUSES),
    tokens: z.number(),
    latencyMs: z.number(),
    /** Items that the limit or the budget left out. */
    more: z.number(),
    /** Items below the minimum chance: their count, the best chance, and how far it falls short. */
    below: z.object({ count: z.number(), best: z.number().nullable(), short: z.number().nullable(), gate: z.number() }),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  traced: true,
  queryField: "prompt",
  toolset: "context",
  flags: {
    "position.line": "line",
    recent_files: "recent",
  },
  aliases: {
    session: ["sessionId"],
    project: ["projectId"],
    file: ["currentFile"],
    symbol: ["currentSymbol"],
    position: ["cursorPosition"],
    recent_files: ["recentFiles"],
    min_relevance: ["minRelevanceScore", "min_score"],
    limit: ["maxSuggestions"],
  },
  unlisted: ["limit", "team", "local", "by"],
  run: async (dex, input, context) => {
    const { repository, folder } = repositoryOf(dex, input.project);
    const session = input.session ?? currentSession(dex.vars);
    const settings = dex.settings.agent.proactive;
    if (!settings.enabled) context.notice?.("Suggestions are off: agent.proactive.enabled is false.");
    if (session !== undefined) recordUses(dex, session);
    const file = input.file;
    if (file !== undefined) {
      if ([folder, dex.cwd].every((base) => insidePath(repository, file, base) === undefined)) {
        context.notice?.(`"${file}" is outside the project ${repository.root}; ask about it in its own project.`);
      } else if (![folder, dex.cwd].some((base) => existsSync(resolve(base, file)))) {
        context.notice?.(`"${file}" is not a file in ${folder}: these are suggestions for a new file of that name.`);
      }
    }
    const activity = defined({
      folder,
      recent: input.recent_files,
      file,
      line: input.position?.line,
      symbol: input.symbol,
      prompt: input.prompt === undefined ? undefined : withoutInjected(input.prompt).trim(),
      session,
    });
    // The setting is the gate of pushed items. A caller that asks gets the best items there are, with their chances.
    const { below, createdAt, suggestions, ...rest } = await suggestFor(
      dex,
      activity,
      triggerOf(input),
      defined({
        minRelevanceScore: input.min_relevance,
        maxSuggestions: input.limit,
        maxTokens: input.max_tokens,
        record: "shown" as const,
        asked: true,
        stale: context.stale === true,
        choice: { team: input.team, local: input.local, by: input.by },
      }),
      context,
    );
    const short = below.best === null ? null : Math.round((below.gate - below.best) * 1000) / 1000;
    return {
      ...rest,
      createdAt: new Date(createdAt).toISOString(),
      suggestions: suggestions.map((item) => describeItem(item, dex.now())),
      below: { ...below, short },
    };
  },
  isEmpty: ({ suggestions }) => suggestions.length === 0,
});

function triggerOf(input: { file?: string; symbol?: string; prompt?: string }): Trigger {
  if (input.file !== undefined) return { type: "file_change", source: input.file };
  if (input.symbol !== undefined) return { type: "symbol_focus", source: input.symbol };
  return { type: "activity", source: input.prompt === undefined ? "session" : "prompt" };
}

function describeItem(item: SuggestionItem, now: number): z.output<typeof itemOutput> {
  const { time, team, ...rest } = item;
  return {
    ...rest,
    ...(team ? originOf({ team }) : {}),
    time: time === null ? null : new Date(time).toISOString(),
    age: time === null ? null : ageInWords(time, now),
    ageDays: time === null ? null : Math.max(0, Math.round(((now - time) / DAY_MS) * 10) / 10),
  };
}
