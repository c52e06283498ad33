/** What a workflow is: a question put to every batch of a selection, whose answers are merged into one report. */
import * as z from "zod";
import type { Message } from "../conversations/model.ts";
import type { ConversationRow } from "../store/ports.ts";

/** Messages of one conversation, or one stretch of one message. */
export interface Passage {
  /** Names the conversation and no other. */
  address: string;
  row: ConversationRow;
  first: number;
  /** Included; below `first` when there is none. */
  last: number;
  chars?: { from: number; to: number };
  /** Longer messages are shortened to so many tokens: of a long paste only the beginning matters. */
  most?: number;
}

export type LoadMessages = (row: ConversationRow, from: number, to: number) => { index: number; message: Message }[];

const quote = z.object({ text: z.string(), ref: z.string() });

/** What a conversation came to, told from its own records. */
const factsSchema = z.object({
  address: z.string(),
  title: z.string(),
  project: z.string(),
  source: z.string(),
  date: z.string(),
  messages: z.number(),
  prompt: quote.optional(),
  outcome: quote.optional(),
  files: z.array(z.string()),
  commits: z.array(z.string()),
  /** Commands whose last run failed; those that failed first and passed later. */
  failing: z.array(quote),
  fixed: z.array(quote),
  passing: z.number(),
});

const findingSchema = z.object({
  text: z.string(),
  kind: z.string(),
  /** Messages that say so, as `id#index`: at least one. */
  refs: z.array(z.string()).min(1),
  /** What it was said about. */
  context: z.string().optional(),
  score: z.number().optional(),
});

/** A batch's answer, kept until the run is done. */
export const batchResultSchema = z.object({
  engine: z.enum(["model", "extractive"]),
  facts: z.array(factsSchema),
  findings: z.array(findingSchema),
  /** References that were not in the batch, and findings that had no other: left out. */
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
  /** The report's first line. */
  title: string;
  /** What the reader of a batch is to find, for a model or a worker. */
  task: string;
  /** What kinds of findings there are, each with its meaning. */
  kinds: Readonly<Record<string, string>>;
  /** Without a model: what can be told from the messages themselves. Always run for the facts. */
  extract(passage: Passage, load: LoadMessages): Extracted;
  /** The report below its title. */
  report(results: readonly BatchResult[]): string;
}
