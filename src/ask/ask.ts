/**
 * One question in, one cited answer out. dex checks a model's answer against the passages it read; without a model, or
 * when it fails, dex quotes the answer from the passages it finds. The asker sees neither the searches nor the passages.
 */
import type { DexError } from "../kernel/errors.ts";
import { plural } from "../kernel/text.ts";
import type { ChatMessage, Model, Usage } from "../llm/model.ts";
import type { TermCounts } from "../ranking/hits.ts";
import { estimateTokens } from "../tokens/estimate.ts";
import type { AskAnswer, AskStep, CitedSource, Question } from "./answer.ts";
import { confidenceOf, lower, modelConfidence } from "./checking/confidence.ts";
import { parseAnswer } from "./checking/parsed_answer.ts";
import { listed, MAX_SHOWN_SENTENCES, stated } from "./checking/remarks.ts";
import { checkAnswer, isRefusal } from "./checking/support.ts";
import { MAX_QUOTED_PASSAGES, type Ranked, rankPassages } from "./evidence/answering.ts";
import {
  highestConfidence,
  isAnswered,
  type Judgement,
  judgePassages,
  nearestOf,
  otherCollectionsNote,
  refusalText,
} from "./evidence/judgement.ts";
import { missingWords } from "./evidence/missing_words.ts";
import { askedBeforeNote, onlyRepeatsQuestion } from "./evidence/same_question.ts";
import { type LoopEnd, runLoop } from "./model/loop.ts";
import type { AskTool } from "./model/tools.ts";
import { locationOf, type Passage, Reading, type ReadPassage } from "./passage.ts";
import type { Named } from "./question/named_collections.ts";
import { presumedChangeNote } from "./question/presumed_change.ts";
import { type Models, type WeighedQuestion, weighQuestion } from "./question/question_words.ts";
import { questionTerms, significantTerms } from "./question/terms.ts";
import { extract, wantsOf } from "./quoting/extract.ts";
import { nearestPlace } from "./quoting/glimpse.ts";

const MAX_FOUND = 12;
/** Weight of the use case relative to the question when passages are ranked. */
const USE_CASE_WEIGHT = 0.3;
/** The largest supported share of an answer that cites or quotes something that was not read. */
const MAX_FLAWED_SUPPORT = 0.6;

export interface AskRequest {
  question: Question;
  /** Finds passages for a question, best first, each with its score. */
  find(query: string, limit: number): Promise<readonly Passage[]>;
  /** Counts the texts that have each term, among those that `find` searches; or among those of one collection. */
  count(terms: readonly string[], collection?: string): Promise<TermCounts>;
  /** The collections that the question names, if any: `find` looks only there. */
  named?: Named;
  /** Words of the question that a text need not contain: the name of the project that it is about. */
  assumed?: readonly string[];
  models: Models;
  tools: readonly AskTool[];
  /** Undefined when no model is configured. */
  model: Model | undefined;
  /** Limit for an answer without a model. */
  maxTokens: number;
  signal: AbortSignal;
  deadlineMs: number;
  turns?: readonly ChatMessage[];
  temperature?: number;
  onStep?(step: AskStep): void;
  onText?(text: string): void;
}

export async function answerQuestion(request: AskRequest): Promise<AskAnswer> {
  const { model } = request;
  if (!model) return quoted(request, new Reading(), ["No model is configured, so dex quotes the sources."]);
  const reading = new Reading();
  const { question, tools, signal, turns = [], temperature } = request;
  const end = await runLoop({
    question,
    model,
    tools,
    reading,
    signal,
    ends: performance.now() + request.deadlineMs,
    turns,
    temperature,
    onStep: request.onStep,
    onText: request.onText,
  });
  if (end.text === undefined) return quoted(request, reading, [failureNote(model, end.failure)], end);
  return checked(request, model, reading, end, end.text);
}

function failureNote(model: Model, failure: DexError | undefined): string {
  const why = failure ? `${failure.message}${failure.hint ? ` ${failure.hint}` : ""}` : `${model.name} gave no answer.`;
  return `${why} dex quotes the sources instead.`;
}

async function checked(
  request: AskRequest,
  model: Model,
  reading: Reading,
  end: LoopEnd,
  text: string,
): Promise<AskAnswer> {
  const parsed = parseAnswer(text, reading);
  const { query } = request.question;
  const check = checkAnswer(parsed.answer, reading, parsed.named, query);
  const unread = [...check.dropped, ...parsed.unread];
  const asked = await askedIn(request);
  const { probability } = await judge(request, rankPassages(asked, check.cited));
  const flawed = unread.length + check.misquoted.length + check.differing.length + check.unrelated.length > 0;
  const supported = flawed ? Math.min(check.supported, MAX_FLAWED_SUPPORT) : check.supported;
  const confidence = modelConfidence(probability, supported, parsed.confidence);
  const remarks = [
    ...end.remarks,
    ...(parsed.note ? [parsed.note] : []),
    ...(reading.passages.length === 0 ? ["The model read no passage: the answer has no source."] : []),
    ...(unread.length > 0
      ? [
          `dex dropped ${plural(unread.length, "citation")} of passages that the model did not read: ${unread.slice(0, MAX_SHOWN_SENTENCES).join(", ")}.`,
        ]
      : []),
    ...(check.unrelated.length > 0
      ? [
          `dex dropped ${plural(check.unrelated.length, "citation")} of passages that support nothing in the answer: ${check.unrelated.slice(0, MAX_SHOWN_SENTENCES).join(", ")}.`,
        ]
      : []),
    ...listed("Quoted, but not found in what was read", check.misquoted),
    ...stated("Not in the cited passage", check.differing),
    ...listed("Not supported by what was read", check.unsupported),
  ];
  const refused = isRefusal(check.text);
  const read = rankPassages(asked, check.cited.length > 0 ? check.cited : reading.passages);
  const nearest = read.slice(0, MAX_QUOTED_PASSAGES);
  return finished({
    answer: check.text,
    sources: refused ? [] : check.cited.map(sourceOf),
    ...(refused || check.cited.length === 0
      ? { nearest: nearest.map(({ passage }) => nearestPlace(asked, passage)) }
      : {}),
    confidence: refused || check.cited.length === 0 ? "low" : confidence,
    remarks: refused ? [...remarks, ...missingWords(asked, nearest, "the nearest sections")] : remarks,
    engine: "model",
    model: model.name,
    calls: end.calls,
    tokensRead: reading.tokens,
    usage: end.usage,
  });
}

/** Quotes the sources, including passages that a model read before it failed. */
async function quoted(
  request: AskRequest,
  reading: Reading,
  remarks: readonly string[],
  end?: LoopEnd,
): Promise<AskAnswer> {
  const { useCase } = request.question;
  const query = subjectOf(request);
  const asked = await askedIn(request);
  const passages = await rankedPassages(request, reading);
  const asking = passages.filter((passage) => onlyRepeatsQuestion(asked, passage));
  const found = passages.filter((passage) => !asking.includes(passage));
  const ranked = rankPassages(asked, found);
  const judged = await judge(request, ranked);
  const made = isAnswered(judged)
    ? extract(ranked, found[0], questionTerms(query, useCase), request.maxTokens, wantsOf(asked))
    : undefined;
  const tokensRead = Math.max(
    reading.tokens,
    found.reduce((sum, { text }) => sum + estimateTokens(text), 0),
  );
  const common = {
    engine: "extractive",
    calls: (end?.calls ?? 0) + (useCase.trim() === "" ? 1 : 2),
    tokensRead,
    usage: end?.usage,
  } as const;
  if (!made) {
    // If no text has any of the words, the passages found are similar only by chance.
    const isKnown = asked.terms.some(({ known }) => known);
    const shown = isKnown ? nearestOf(ranked, judged) : [];
    return finished({
      ...common,
      answer: refusalText(isKnown ? judged : judgePassages(asked, [])),
      sources: [],
      nearest: shown.map(({ passage }) => nearestPlace(asked, passage)),
      confidence: "low",
      remarks: [
        ...(end ? remarks : []),
        ...missingWords(asked, shown, "the nearest sections"),
        ...askedBeforeNote(asking),
      ],
    });
  }
  const answering = ranked.filter(({ passage }) => made.quoted.some(({ ref }) => ref === passage.ref));
  // A manifest has few words, and dex quotes it only for a question that asks for nothing else.
  const missing = ranked[0]?.passage.stated ? [] : missingWords(asked, answering, "the quoted sections");
  const unconfirmed = presumedChangeNote(asked, answering);
  const most = unconfirmed.length > 0 ? "low" : highestConfidence(judged, missing.length === 0);
  return finished({
    ...common,
    answer: made.text,
    sources: made.quoted.map(sourceOf),
    confidence: lower(confidenceOf(judged.probability), most),
    remarks: [...remarks, ...missing, ...unconfirmed, ...askedBeforeNote(asking), ...otherCollectionsNote(judged)],
  });
}

/**
 * Counts the words in the collection of the best passage: a word that occurs only in the documentation of another
 * product shows that this passage does not answer.
 */
async function judge(request: AskRequest, ranked: readonly Ranked[]): Promise<Judgement> {
  return judgePassages(await askedIn(request, ranked[0]?.passage.collection), ranked);
}

async function askedIn(request: AskRequest, collection?: string): Promise<WeighedQuestion> {
  const query = subjectOf(request);
  return weighQuestion(
    query,
    await request.count(significantTerms(query), collection),
    request.models,
    request.assumed,
  );
}

function subjectOf({ question, named }: AskRequest): string {
  return named?.rest ?? question.query;
}

/** Passages found for the question and, with a lower weight, for the question with its use case; best first. */
async function rankedPassages(request: AskRequest, reading: Reading): Promise<ReadPassage[]> {
  const { useCase } = request.question;
  const query = subjectOf(request);
  const asked: (readonly [string, number])[] = [[query, 1 - USE_CASE_WEIGHT]];
  if (useCase.trim() !== "") asked.push([`${query} ${useCase}`, USE_CASE_WEIGHT]);
  const scores = new Map<ReadPassage, number>();
  for (const [text, share] of asked) {
    request.signal.throwIfAborted();
    request.onStep?.({ kind: "call", tool: "search", arguments: text });
    const found = await request.find(text, MAX_FOUND);
    const best = Math.max(...found.map(({ score = 0 }) => score), Number.MIN_VALUE);
    for (const passage of found) {
      const { read } = reading.add(passage);
      scores.set(read, (scores.get(read) ?? 0) + share * ((passage.score ?? 0) / best));
    }
    request.onStep?.({
      kind: "result",
      tool: "search",
      found: found.length,
      tokens: 0,
      repeated: false,
      failed: false,
    });
  }
  const order = new Map(reading.passages.map((passage, i) => [passage, i]));
  return reading.passages
    .map((passage) => Object.assign(passage, { score: scores.get(passage) ?? passage.score ?? 0 }))
    .sort((a, b) => b.score - a.score || (order.get(a) ?? 0) - (order.get(b) ?? 0));
}

function sourceOf(passage: ReadPassage): CitedSource {
  return { ref: passage.ref, ...locationOf(passage) };
}

interface Parts extends Pick<AskAnswer, "answer" | "sources" | "nearest" | "confidence" | "engine" | "model"> {
  remarks: readonly string[];
  calls: number;
  tokensRead: number;
  usage: Usage | undefined;
}

function finished(parts: Parts): AskAnswer {
  const { answer, sources, nearest = [], confidence, engine, model, remarks, calls, tokensRead, usage } = parts;
  const note = remarks.join(" ");
  const whole = [
    answer,
    note,
    ...sources.map((source) => `${source.ref} ${source.collection} ${source.document} ${source.section ?? ""}`),
    ...nearest.map((place) => `${place.collection} ${place.document} ${place.section ?? ""} ${place.excerpt ?? ""}`),
  ];
  const returned = whole.reduce((sum, text) => sum + estimateTokens(text), 0);
  return {
    answer,
    sources,
    ...(nearest.length > 0 ? { nearest } : {}),
    confidence,
    ...(note === "" ? {} : { note }),
    engine,
    ...(model === undefined ? {} : { model }),
    usage: {
      tool_calls: calls,
      tokens_read: tokensRead,
      tokens_returned: returned,
      saved: Math.max(0, tokensRead - returned),
      ...(usage ?? {}),
    },
  };
}
