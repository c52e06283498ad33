/** What every way of asking shares: from a question to its answer, with the configured model or without one. */
import * as z from "zod";
import type { CodeProject } from "../code/project.ts";
import { Dex } from "../dex.ts";
import type { ChatMessage, Model } from "../llm/model.ts";
import { modelFrom } from "../llm/model.ts";
import { type AskAnswer, CONFIDENCES, type Question, type Step } from "./answer.ts";
import { answerQuestion } from "./ask.ts";
import { findInConversations, findInDocuments } from "./find.ts";
import type { Passage } from "./passage.ts";
import type { AskTool } from "./tools.ts";

export const ASK_IN = ["documents", "conversations", "code", "all"] as const;
export type AskIn = (typeof ASK_IN)[number];

export const askOutput = z.object({
  answer: z.string(),
  sources: z.array(
    z.object({
      /** How the answer names it. */
      ref: z.string(),
      collection: z.string(),
      document: z.string(),
      section: z.string().optional(),
      lines: z.tuple([z.number(), z.number()]).readonly().optional(),
    }),
  ),
  confidence: z.enum(CONFIDENCES),
  note: z.string().optional(),
  engine: z.enum(["model", "extractive"]),
  model: z.string().optional(),
  usage: z.object({
    tool_calls: z.number(),
    tokens_read: z.number(),
    tokens_returned: z.number(),
    saved: z.number(),
    input: z.number().optional(),
    output: z.number().optional(),
    estimated: z.literal(true).optional(),
    cost: z.number().optional(),
  }),
});

/** Of an answer that is quoted. */
export const ANSWER_TOKENS = 500;

export interface AskOptions {
  in: AskIn;
  /** Names; empty: all that can be seen. */
  collections: readonly string[];
  noGlobal: boolean;
  noModel: boolean;
  model?: string;
  temperature?: number;
  maxTokens: number;
  turns?: readonly ChatMessage[];
  /** Loads the tools that a model may use while it answers; called only where a model answers. */
  tools(dex: Dex, where: AskIn): Promise<AskTool[]>;
  signal?: AbortSignal;
  onStep?(step: Step): void;
  onText?(text: string): void;
}

export function modelOf(dex: Dex, { noModel, model }: Pick<AskOptions, "noModel" | "model">): Model | undefined {
  if (noModel) return undefined;
  const { settings, vars } = dex;
  const chosen = model === undefined ? settings : { ...settings, llm: { ...settings.llm, model } };
  return modelFrom(chosen, { vars });
}

export async function askIn(dex: Dex, question: Question, options: AskOptions): Promise<AskAnswer> {
  const model = modelOf(dex, options);
  const within = await narrowed(dex, options);
  try {
    const answer = await answerQuestion({
      question,
      find: (query, limit) => find(within, options, query, limit),
      tools: model ? await options.tools(within, options.in) : [],
      model,
      maxTokens: options.maxTokens,
      signal: options.signal ?? new AbortController().signal,
      deadlineMs: dex.settings.llm.timeout * 1000,
      ...(options.turns ? { turns: options.turns } : {}),
      ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
      ...(options.onStep ? { onStep: options.onStep } : {}),
      ...(options.onText ? { onText: options.onText } : {}),
    });
    return await withReason(within, options, answer);
  } finally {
    if (within !== dex) within.close();
  }
}

/**
 * An application that sees no more than is asked for: names are looked up among those this one can see, so that asking
 * can narrow what a server was limited to, and never widen it.
 */
async function narrowed(dex: Dex, { collections, noGlobal }: AskOptions): Promise<Dex> {
  if (collections.length === 0 && !noGlobal) return dex;
  const library = await dex.library();
  const { selectCollections } = await import("../collections/library.ts");
  const chosen = selectCollections(library, collections);
  const names = library.collections
    .filter(({ id, origin }) => (chosen?.includes(id) ?? true) && (!noGlobal || origin === "project"))
    .map(({ name }) => name);
  const { vars, cwd, now, caches } = dex;
  return Dex.open({ vars, cwd, now, caches, scope: { collections: names, ...(noGlobal ? { global: false } : {}) } });
}

/** Beside other things, only code that was read before is looked into. */
export async function codeProject(dex: Dex, where: AskIn): Promise<CodeProject | undefined> {
  if (where !== "code") return (await import("../search/code.ts")).indexedProject(dex);
  return (await import("./code.ts")).neededCode(dex);
}

/** What was said in passing counts a little less than what was written down; code says what is, and seldom why. */
const SAID = 0.8;
const CODED = 0.9;

async function find(
  dex: Dex,
  { in: where, maxTokens }: Pick<AskOptions, "in" | "maxTokens">,
  query: string,
  limit: number,
): Promise<Passage[]> {
  if (where === "documents") return findInDocuments(dex, query, limit);
  if (where === "conversations") return findInConversations(dex, query, limit);
  const project = await codeProject(dex, where);
  const { findInCode } = await import("./code.ts");
  const defined = project ? await findInCode(dex, project, query, limit, maxTokens) : [];
  if (where === "code") return defined;
  const written = relative(await findInDocuments(dex, query, limit), 1);
  const coded = relative(defined, CODED);
  const said = relative(await findInConversations(dex, query, limit), SAID);
  return [...written, ...coded, ...said].sort((a, b) => (b.score ?? 0) - (a.score ?? 0)).slice(0, limit);
}

function relative(passages: readonly Passage[], weight: number): Passage[] {
  const best = Math.max(...passages.map(({ score = 0 }) => score), Number.MIN_VALUE);
  return passages.map((passage) => ({ ...passage, score: ((passage.score ?? 0) / best) * weight }));
}

/** An empty answer says why: most often nothing was added yet. */
async function withReason(dex: Dex, options: AskOptions, answer: AskAnswer): Promise<AskAnswer> {
  if (answer.sources.length > 0 || options.in === "conversations" || options.in === "code") return answer;
  const library = await dex.library();
  const none = library.reader.countDocuments({}) === 0;
  const unread = options.in === "all" && !(await codeProject(dex, "all"));
  const why = [
    ...(none ? ["There is no documentation here yet; `dex docs add` takes some in."] : []),
    ...(unread ? ["Code was not looked into; `dex code index` in a project reads it."] : []),
  ].join(" ");
  if (why === "") return answer;
  return { ...answer, note: answer.note ? `${why} ${answer.note}` : why };
}
