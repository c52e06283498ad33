/** A workflow asks every batch of a selection the same question and merges the answers into one report. */
import * as z from "zod";
import type { Message } from "../conversations/model.ts";
import type { ConversationRow } from "../store/ports.ts";

/** Messages of one conversation, or a part of one message. */
export interface BatchPassage {
  /** The unique address of the conversation. */
  address: string;
  row: ConversationRow;
  first: number;
  /** Inclusive; less than `first` when there is no message. */
  last: number;
  chars?: { from: number; to: number };
  /** Longer messages are truncated to this many tokens: only the start of a long paste matters. */
  maxTokens?: number;
}

export type LoadMessages = (row: ConversationRow, from: number, to: number) => { index: number; message: Message }[];

const quote = z.object({ text: z.string(), ref: z.string() });

/** The results of a conversation, taken from its own records. */
const factsSchema = z.object({
  address: z.string(),
  title: z.string(),
  project: z.string(),
  source: z.string(),
  date: z.string(),
  messages: z.number(),
  prompt: quote.optional(),
  /** The latest request, if what the agent said last does not answer it. */
  unanswered: quote.optional(),
  outcome: quote.extend({ stage: z.enum(["final", "unfinished", "earlier"]) }).optional(),
  files: z.array(z.string()),
  commits: z.array(z.string()),
  /** Commands whose last run failed, and commands that failed first and passed later. */
  failing: z.array(quote),
  fixed: z.array(quote),
  passing: z.number(),
});

const findingSchema = z.object({
  text: z.string(),
  kind: z.string(),
  /** At least one supporting message, as `id#index`. */
  refs: z.array(z.string()).min(1),
  /** The message that the person answered. */
  context: z.string().optional(),
  score: z.number().optional(),
});

/** The answer for a batch, stored until the run is done. */
export const batchResultSchema = z.object({
  engine: z.enum(["model", "extractive"]),
  facts: z.array(factsSchema),
  findings: z.array(findingSchema),
  /** How many references to messages outside the batch were dropped, and findings that had no other. */
  dropped: z.object({ refs: z.number(), findings: z.number() }),
  usage: z
    .object({
      input: z.number(),
      output: z.number(),
      estimated: z.literal(true).optional(),
      cost: z.number().optional(),
    })
    .optional(),
  note: z.string().optional(),
});

export type Facts = z.output<typeof factsSchema>;
export type Finding = z.output<typeof findingSchema>;
export type BatchResult = z.output<typeof batchResultSchema>;

export interface Extracted {
  facts?: Facts[];
  findings?: Finding[];
}

export interface Workflow {
  name: string;
  /** The title of the report. */
  title: string;
  /** Instructions for the reader of a batch, a model or a worker. */
  task: string;
  /** The kinds of findings, each with its meaning. */
  kinds: Readonly<Record<string, string>>;
  /** Extracts findings without a model. Always runs, because it also extracts the facts. */
  extract(passage: BatchPassage, load: LoadMessages): Extracted;
  /** The report below its title. */
  report(results: readonly BatchResult[]): string;
}
