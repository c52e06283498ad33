import * as z from "zod";
import { repositoryOf } from "../../project/repository.ts";
import { currentSession } from "../../search/filters/session.ts";
import { recordUses } from "../../suggest/feedback/implicit_feedback.ts";
import { ITEM_TYPES, SUGGESTION_STATUSES, type SuggestionItem, TRIGGERS, type Trigger } from "../../suggest/model.ts";
import { suggestFor } from "../../suggest/suggest.ts";
import { ageInWords } from "../../suggest/text.ts";
import { defineOperation } from "../operation.ts";
import { maxTokensField } from "../shared/fields.ts";

const DAY = 86_400_000;
const MOST_RECENT = 20;

const path = z.string().min(1).max(4096);
const position = z.int("must be a whole number").min(0, "must not be negative").max(100_000_000);

export const itemOutput = z.object({
  type: z.enum(ITEM_TYPES),
  title: z.string(),
  summary: z.string(),
  /** The estimated chance that it is of use. */
  relevanceScore: z.number(),
  entityId: z.string(),
  /** Opens it: a path with a line, id#index, a commit, collection:path#section. */
  actionUrl: z.string(),
  reason: z.string(),
  time: z.string().nullable(),
  /** How long ago that was, in words and in days. */
  age: z.string().nullable(),
  ageDays: z.number().nullable(),
});

export const suggest = defineOperation({
  name: "context_suggest",
  verb: "suggest",
  summary: "What may be worth knowing about the current work: decisions, changes, docs, related code, warnings",
  positionals: [],
  input: z.strictObject({
    sessionId: z.string().max(300).optional().describe("The conversation this is for; the current one when known"),
    projectId: path.optional().describe("A folder of the project; the current one when absent"),
    currentFile: path.optional().describe("The file that is open"),
    currentSymbol: z.string().min(1).max(500).optional().describe("The function or class at hand"),
    cursorPosition: z
      .strictObject({ line: position.describe("Line in the file"), column: position.optional().describe("Column") })
      .optional(),
    recentFiles: z.array(path).max(MOST_RECENT).default([]).describe("Files before it, the latest first"),
    prompt: z.string().max(100_000).optional().describe("What is to be done, in words"),
    minRelevanceScore: z.number().min(0).max(1).optional().describe("Minimum score, from 0 to 1"),
    maxSuggestions: z.int("must be a whole number").min(1).max(50).optional().describe("Maximum suggestions"),
    max_tokens: maxTokensField,
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
    /** What fell under the gate: how many, the best of it, and by how much that fell short. */
    below: z.object({ count: z.number(), best: z.number().nullable(), short: z.number().nullable(), gate: z.number() }),
  }),
  readOnly: true,
  idempotent: true,
  fresh: true,
  traced: true,
  asks: "prompt",
  toolset: "context",
  flags: {
    sessionId: "session",
    projectId: "repository",
    currentFile: "file",
    currentSymbol: "symbol",
    "cursorPosition.line": "line",
    "cursorPosition.column": "column",
    recentFiles: "recent",
    minRelevanceScore: "min-score",
    maxSuggestions: "limit",
  },
  unlisted: ["minRelevanceScore", "maxSuggestions"],
  run: async (dex, input, context) => {
    const { folder } = repositoryOf(dex, input.projectId);
    const session = input.sessionId ?? currentSession(dex.vars);
    const settings = dex.settings.agent.proactive;
    if (!settings.enabled) context.notice?.("Suggestions are off: agent.proactive.enabled is false.");
    if (session !== undefined) recordUses(dex, session);
    const activity = {
      folder,
      recent: input.recentFiles,
      ...(input.currentFile === undefined ? {} : { file: input.currentFile }),
      ...(input.cursorPosition === undefined ? {} : { line: input.cursorPosition.line }),
      ...(input.currentSymbol === undefined ? {} : { symbol: input.currentSymbol }),
      ...(input.prompt === undefined ? {} : { prompt: input.prompt }),
      ...(session === undefined ? {} : { session }),
    };
    const gate = input.minRelevanceScore ?? settings.minRelevanceScore;
    const { below, createdAt, suggestions, ...rest } = await suggestFor(
      dex,
      activity,
      triggerOf(input),
      {
        minRelevanceScore: gate,
        ...(input.maxSuggestions === undefined ? {} : { maxSuggestions: input.maxSuggestions }),
        ...(input.max_tokens === undefined ? {} : { maxTokens: input.max_tokens }),
        record: "shown",
        stale: context.stale === true,
      },
      context,
    );
    const short = below.best === null ? null : Math.round((gate - below.best) * 1000) / 1000;
    return {
      ...rest,
      createdAt: new Date(createdAt).toISOString(),
      suggestions: suggestions.map((item) => describeItem(item, dex.now())),
      below: { ...below, short, gate },
    };
  },
  isEmpty: ({ suggestions }) => suggestions.length === 0,
});

function triggerOf(input: { currentFile?: string; currentSymbol?: string; prompt?: string }): Trigger {
  if (input.currentFile !== undefined) return { type: "file_change", source: input.currentFile };
  if (input.currentSymbol !== undefined) return { type: "symbol_focus", source: input.currentSymbol };
  return { type: "activity", source: input.prompt === undefined ? "session" : "prompt" };
}

function describeItem(item: SuggestionItem, now: number): z.output<typeof itemOutput> {
  const { time } = item;
  return {
    ...item,
    time: time === null ? null : new Date(time).toISOString(),
    age: time === null ? null : ageInWords(time, now),
    ageDays: time === null ? null : Math.max(0, Math.round(((now - time) / DAY) * 10) / 10),
  };
}
