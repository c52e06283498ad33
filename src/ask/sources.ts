/** Answers a question from documents, conversations or code, with the configured model or without one. */
import * as z from "zod";
import type { Library } from "../collections/library.ts";
import { Dex } from "../dex.ts";
import { findRepository } from "../history/repository.ts";
import type { ChatMessage, Model } from "../llm/model.ts";
import { modelFrom } from "../llm/model.ts";
import type { RunContext } from "../run_context.ts";
import { staticEmbedder } from "../search/query/vector.ts";
import { type AskAnswer, type AskStep, CONFIDENCES, type Question } from "./answer.ts";
import { answerQuestion } from "./ask.ts";
import { projectNameIn } from "./finding/manifests/project_name.ts";
import { pastQuestionIn } from "./finding/past/past_questions.ts";
import { type AskIn, codeOf, countIn, findIn, type Place } from "./finding/places.ts";
import type { AskTool } from "./model/tools.ts";
import { modelsOf } from "./models.ts";
import { exactlyNamed, type Named, namedCollections, versionsNamed } from "./question/named_collections.ts";
import { NAME_STRENGTH } from "./question/question_words.ts";
import { significantTerms } from "./question/terms.ts";

const placeSchema = z.object({
  collection: z.string(),
  document: z.string(),
  section: z.string().optional(),
  lines: z.tuple([z.number(), z.number()]).readonly().optional(),
  /** For a shared conversation: the member and machine that it comes from, and the shared project. */
  owner: z.string().optional(),
  machine: z.string().optional(),
  scope: z.string().optional(),
  /** For a message of a conversation. */
  message: z
    .object({
      address: z.string(),
      title: z.string(),
      agent: z.string(),
      project: z.string().optional(),
      date: z.string(),
    })
    .optional(),
});

export const askOutput = z.object({
  answer: z.string(),
  sources: z.array(
    placeSchema.extend({
      /** The label by which the answer cites it. */
      ref: z.string(),
    }),
  ),
  /** The sections to look at when the sources do not answer the question. */
  nearest: z
    .array(
      placeSchema.extend({
        /** A line that shows what the section is about. It is not an answer. */
        excerpt: z.string().optional(),
      }),
    )
    .optional(),
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

/**
 * A word counts as the name of a product if the product's own collections have at least this share of all texts with
 * it.
 */
const MIN_SHARE_OF_NAME = 0.5;
/** Limit for a quoted answer. */
export const ANSWER_TOKENS = 500;

export interface AskOptions {
  /** By default documents, or everything if there are none. */
  in?: AskIn;
  /** Names of collections; empty: all visible ones. */
  collections: readonly string[];
  noGlobal: boolean;
  noModel: boolean;
  model?: string;
  temperature?: number;
  maxTokens: number;
  turns?: readonly ChatMessage[];
  /** Loads the tools for the model; called only when a model answers. */
  tools(dex: Dex, place: Place): Promise<AskTool[]>;
  signal?: AbortSignal;
  /** Progress of the first indexing of a repository's history or code. */
  progress?: RunContext["progress"];
  /** Do not index anything first. */
  stale?: boolean;
  onStep?(step: AskStep): void;
  onText?(text: string): void;
}

export function modelOf(dex: Dex, { noModel, model }: Pick<AskOptions, "noModel" | "model">): Model | undefined {
  if (noModel) return undefined;
  const { settings, vars } = dex;
  const chosen = model === undefined ? settings : { ...settings, llm: { ...settings.llm, model } };
  return modelFrom(chosen, { vars });
}

export async function askIn(dex: Dex, question: Question, asked: AskOptions): Promise<AskAnswer> {
  const model = modelOf(dex, asked);
  const within = await narrowed(dex, asked);
  try {
    const place = await placeOf(within, question, asked);
    const named = await namedIn(within, place.in, question.query);
    const answer = await answerQuestion({
      question,
      named,
      assumed: place.name,
      find: (query, limit) => findIn(within, place, query, limit, named.collections),
      count: (terms, collection) => countIn(within, place, terms, collection),
      models: await modelsOf(dex.settings),
      tools: model ? await asked.tools(within, place) : [],
      model,
      maxTokens: asked.maxTokens,
      signal: asked.signal ?? new AbortController().signal,
      deadlineMs: dex.settings.llm.timeout * 1000,
      turns: asked.turns,
      temperature: asked.temperature,
      onStep: asked.onStep,
      onText: asked.onText,
    });
    return await withReason(within, place, answer);
  } finally {
    if (within !== dex) within.close();
  }
}

async function placeOf(dex: Dex, { query, useCase }: Question, asked: AskOptions): Promise<Place> {
  const where = asked.in ?? (await defaultPlace(dex, query, asked));
  const repository = where === "all" ? findRepository(dex.cwd) : undefined;
  const here = asked.in === undefined && repository !== undefined;
  const wantsPast = repository !== undefined && pastQuestionIn(query) !== undefined;
  return {
    in: where,
    here,
    isDefault: asked.in === undefined && asked.collections.length === 0 && !asked.noGlobal && !dex.isLimited,
    code: await codeOf(dex, where, asked),
    name: here ? projectNameIn(repository.root, query) : [],
    past: wantsPast
      ? await (await import("./finding/past/past.ts")).pastOf(dex, `${query} ${useCase}`, asked)
      : undefined,
    maxTokens: asked.maxTokens,
  };
}

/**
 * Where to look by default. Without declared collections, and for a question about the past, which the documentation of
 * other projects cannot answer, it is the project: its documents, code and conversations.
 */
async function defaultPlace(dex: Dex, query: string, { collections, noGlobal }: AskOptions): Promise<AskIn> {
  if (collections.length > 0 || noGlobal || dex.isLimited) return "documents";
  if (pastQuestionIn(query) !== undefined && findRepository(dex.cwd)) return "all";
  const { countDeclaredDocuments } = await import("../collections/library.ts");
  return countDeclaredDocuments(await dex.library()) > 0 ? "documents" : "all";
}

/**
 * Opens a Dex limited to the wanted collections. Names are resolved among the visible collections, so a call can narrow
 * the scope of a server but never widen it.
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

/**
 * The collections that a question names exactly or by a version of their package, which may differ from the version
 * that the project uses.
 */
export async function versionsAskedFor(
  { reader, collections, choices }: Library,
  query: string,
): Promise<Named | undefined> {
  const declared = collections.filter(({ implicit }) => !implicit);
  const exact = exactlyNamed(
    query,
    declared.map(({ name }) => name),
  );
  if (exact || choices.length === 0) return exact;
  const { documentedVersion } = await import("../collections/library.ts");
  const versions = choices.flatMap(({ package: of, collection, others }) =>
    declared.flatMap((each) => {
      const version = [collection, ...others].includes(each.name) ? documentedVersion(reader, each) : undefined;
      return version === undefined ? [] : [{ package: of, name: each.name, version }];
    }),
  );
  return versionsNamed(query, versions);
}

/** The collections of documents that a question names. */
export async function namedIn(dex: Dex, where: AskIn, query: string): Promise<Named> {
  if (where !== "documents" && where !== "all") return { collections: [], rest: query };
  const library = await dex.library();
  const { reader, collections, filter } = library;
  const declared = collections.filter(({ implicit }) => !implicit);
  const exact = await versionsAskedFor(library, query);
  if (exact) return exact;
  const visible = declared.filter(({ id }) => filter.collections?.includes(id) ?? true);
  const isName = (word: string, names: readonly string[]): boolean => {
    if ((staticEmbedder(dex.settings)?.strength(word) ?? 0) >= NAME_STRENGTH) return true;
    const terms = significantTerms(word);
    const [term = ""] = terms;
    const ids = visible.filter(({ name }) => names.includes(name)).map(({ id }) => id);
    const own = reader.countTerms(terms, { collections: ids }).having.get(term) ?? 0;
    return own >= (reader.countTerms(terms).having.get(term) ?? 0) * MIN_SHARE_OF_NAME;
  };
  return namedCollections(
    query,
    visible.map(({ name }) => name),
    isName,
  );
}

/**
 * Adds a note about what was not searched. If an answer has no sources, this is most often because no collection was
 * added.
 */
async function withReason(dex: Dex, place: Place, answer: AskAnswer): Promise<AskAnswer> {
  const isRefused = answer.sources.length === 0;
  const readsDocuments = place.in === "documents" || place.in === "all";
  const none = isRefused && readsDocuments && (await dex.library()).reader.countDocuments({}) === 0;
  const declaredOnly = isRefused && !none && place.in === "documents" && place.isDefault;
  const unread = place.in === "all" && !place.code && (isRefused || place.here);
  const why = [
    ...(none ? ["There is no documentation here yet; `dex docs add` adds some."] : []),
    ...(declaredOnly
      ? [
          "Only the declared documentation was searched; `--in all` also searches this project's code and conversations.",
        ]
      : []),
    ...(unread ? ["Code was not searched; run `dex code index` in a project to index it."] : []),
  ].join(" ");
  if (why === "") return answer;
  return { ...answer, note: answer.note ? `${why} ${answer.note}` : why };
}
