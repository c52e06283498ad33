/** Answers a question from documents, conversations or code, with the configured model or without one. */
import * as z from "zod";
import type { CodeProject } from "../code/project.ts";
import { Dex } from "../dex.ts";
import { findRepository, repositoryOrFolder } from "../history/repository.ts";
import type { ChatMessage, Model } from "../llm/model.ts";
import { modelFrom } from "../llm/model.ts";
import type { TermCounts } from "../ranking/hits.ts";
import { staticEmbedder } from "../search/query/vector.ts";
import { type AskAnswer, type AskStep, CONFIDENCES, type Question } from "./answer.ts";
import { answerQuestion } from "./ask.ts";
import { NAME_STRENGTH } from "./evidence/asked.ts";
import { type Named, namedCollections } from "./evidence/named.ts";
import { findInConversations, findInDocuments } from "./find.ts";
import { findInManifests } from "./manifests/find.ts";
import { projectNameIn } from "./manifests/project_name.ts";
import type { Passage } from "./passage.ts";
import { significantTerms } from "./terms.ts";
import type { AskTool } from "./tools.ts";

export const ASK_IN = ["documents", "conversations", "code", "all"] as const;
export type AskIn = (typeof ASK_IN)[number];

const placeSchema = z.object({
  collection: z.string(),
  document: z.string(),
  section: z.string().optional(),
  lines: z.tuple([z.number(), z.number()]).readonly().optional(),
  /** Of a conversation that a team shares: the member who had it, the machine, and the shared project. */
  owner: z.string().optional(),
  machine: z.string().optional(),
  scope: z.string().optional(),
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
        /** A line of the section, to see what it is about: not an answer. */
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

/** A word is the name of a product if its own collections have at least this share of the texts with the word. */
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
  tools(dex: Dex, where: AskIn): Promise<AskTool[]>;
  signal?: AbortSignal;
  onStep?(step: AskStep): void;
  onText?(text: string): void;
}

export function modelOf(dex: Dex, { noModel, model }: Pick<AskOptions, "noModel" | "model">): Model | undefined {
  if (noModel) return undefined;
  const { settings, vars } = dex;
  const chosen = model === undefined ? settings : { ...settings, llm: { ...settings.llm, model } };
  return modelFrom(chosen, { vars });
}

/** The options, with the place to look in decided. */
interface PlacedOptions extends AskOptions {
  in: AskIn;
  /** The asker named no place, and stands in a repository: the question is about this project. */
  here: boolean;
  /** The words of the project's name that the question has. */
  name: readonly string[];
}

export async function askIn(dex: Dex, question: Question, asked: AskOptions): Promise<AskAnswer> {
  const model = modelOf(dex, asked);
  const within = await narrowed(dex, asked);
  try {
    const place = asked.in ?? (await defaultPlace(within, asked));
    const here = asked.in === undefined && place === "all" && findRepository(dex.cwd) !== undefined;
    const name = here ? projectNameIn(repositoryOrFolder(dex.cwd).root, question.query) : [];
    const options = { ...asked, in: place, here, name };
    const named = await namedIn(within, options.in, question.query);
    const answer = await answerQuestion({
      question,
      named,
      assumed: name,
      find: (query, limit) => find(within, options, query, limit, named.collections),
      count: (terms, collection) => count(within, options.in, terms, collection),
      words: staticEmbedder(dex.settings),
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

/** Without declared collections, the project is asked about: its documents, code and conversations. */
async function defaultPlace(dex: Dex, { collections, noGlobal }: AskOptions): Promise<AskIn> {
  if (collections.length > 0 || noGlobal || dex.isLimited) return "documents";
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

/** The collections of documents that a question names. */
export async function namedIn(dex: Dex, where: AskIn, query: string): Promise<Named> {
  if (where !== "documents" && where !== "all") return { collections: [], rest: query };
  const { reader, collections, filter } = await dex.library();
  const visible = collections.filter(({ id, implicit }) => !implicit && (filter.collections?.includes(id) ?? true));
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

/** With `all`, only code that is already indexed is searched. */
export async function codeProject(dex: Dex, where: AskIn): Promise<CodeProject | undefined> {
  if (where !== "code") return (await import("../search/code.ts")).indexedProject(dex);
  return (await import("./code.ts")).neededCode(dex);
}

/** Documents rank first: conversations are less reliable, and code rarely explains why. */
const CONVERSATION_WEIGHT = 0.8;
const CODE_WEIGHT = 0.9;

async function find(
  dex: Dex,
  { in: where, here, name, maxTokens }: Pick<PlacedOptions, "in" | "here" | "name" | "maxTokens">,
  query: string,
  limit: number,
  named: readonly string[],
): Promise<Passage[]> {
  if (where === "documents") return findInDocuments(dex, query, limit, named);
  if (where === "conversations") return findInConversations(dex, query, limit);
  const project = await codeProject(dex, where);
  const { findInCode } = await import("./code.ts");
  const defined = project ? await findInCode(dex, project, query, limit, maxTokens) : [];
  if (where === "code") return defined;
  const written = relative(await findInDocuments(dex, query, limit, named), 1);
  const coded = defined.map((passage) => ({ ...passage, score: (passage.score ?? 0) * CODE_WEIGHT }));
  const said = relative(await findInConversations(dex, query, limit, here), CONVERSATION_WEIGHT);
  const stated = here ? findInManifests(repositoryOrFolder(dex.cwd).root, query, name) : [];
  return [...stated, ...written, ...coded, ...said].sort((a, b) => (b.score ?? 0) - (a.score ?? 0)).slice(0, limit);
}

/** Over everything that `find` searches, or over one collection of documents. */
async function count(dex: Dex, where: AskIn, terms: readonly string[], collection?: string): Promise<TermCounts> {
  const counts: TermCounts[] = [];
  if (where === "documents" || where === "all") {
    const { reader, collections } = await dex.library();
    const found = collections.find(({ name }) => name === collection);
    if (found) return reader.countTerms(terms, { collections: [found.id] });
    counts.push(reader.countTerms(terms));
  }
  if (where === "conversations" || where === "all") counts.push(dex.store.countTerms(terms));
  const project = where === "code" || where === "all" ? await codeProject(dex, where) : undefined;
  if (project) counts.push(await (await import("./code.ts")).countInCode(dex, project, terms));
  const having = new Map(
    terms.map((term) => [term, counts.reduce((sum, each) => sum + (each.having.get(term) ?? 0), 0)]),
  );
  return { texts: counts.reduce((sum, { texts }) => sum + texts, 0), having };
}

function relative(passages: readonly Passage[], weight: number): Passage[] {
  const best = Math.max(...passages.map(({ score = 0 }) => score), Number.MIN_VALUE);
  return passages.map((passage) => ({ ...passage, score: ((passage.score ?? 0) / best) * weight }));
}

/** Explains an answer without sources: most often no collection was added yet. */
async function withReason(dex: Dex, options: PlacedOptions, answer: AskAnswer): Promise<AskAnswer> {
  if (answer.sources.length > 0 || options.in === "conversations" || options.in === "code") return answer;
  const library = await dex.library();
  const none = library.reader.countDocuments({}) === 0;
  const unread = options.in === "all" && !(await codeProject(dex, "all"));
  const why = [
    ...(none ? ["There is no documentation here yet; `dex docs add` adds some."] : []),
    ...(unread ? ["Code was not searched; run `dex code index` in a project to index it."] : []),
  ].join(" ");
  if (why === "") return answer;
  return { ...answer, note: answer.note ? `${why} ${answer.note}` : why };
}
