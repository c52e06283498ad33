/**
 * One question in, one cited answer out. dex checks a model's answer against the passages it read; without a model, or
 * when it fails, dex quotes the answer from the passages it finds. The asker sees neither the searches nor the passages.
 */
import type { DexError } from "../kernel/errors.ts";
import { plural } from "../kernel/text.ts";
import type { ChatMessage, Model, Usage } from "../llm/model.ts";
import { cleanLine } from "../text/clean.ts";
import { estimateTokens } from "../tokens/estimate.ts";
import type { AskAnswer, AskStep, CitedSource, Question } from "./answer.ts";
import { confidenceIn } from "./checking/confidence.ts";
import { parseAnswer } from "./checking/parsed_answer.ts";
import { checkAnswer } from "./checking/support.ts";
import { type LoopEnd, runLoop } from "./loop.ts";
import { type Passage, Reading, type ReadPassage } from "./passage.ts";
import { asksHow, extract } from "./quoting/extract.ts";
import { questionTerms } from "./terms.ts";
import type { AskTool } from "./tools.ts";

const MAX_FOUND = 12;
/** Weight of the use case relative to the question when passages are ranked. */
const USE_CASE_WEIGHT = 0.3;
const MAX_SHOWN_SENTENCES = 3;
const MAX_SHOWN_CHARS = 160;

export interface AskRequest {
  question: Question;
  /** Finds passages for a question, best first, each with its score. */
  find(query: string, limit: number): Promise<readonly Passage[]>;
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
  if (!model) return quoted(request, new Reading(), ["No model is configured: these are the words of the sources."]);
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
    ...(temperature === undefined ? {} : { temperature }),
    ...(request.onStep ? { onStep: request.onStep } : {}),
    ...(request.onText ? { onText: request.onText } : {}),
  });
  if (end.text === undefined) return quoted(request, reading, [failureNote(model, end.failure)], end);
  return checked(request, model, reading, end, end.text);
}

function failureNote(model: Model, failure: DexError | undefined): string {
  const why = failure ? `${failure.message}${failure.hint ? ` ${failure.hint}` : ""}` : `${model.name} gave no answer.`;
  return `${why} These are the words of the sources, without a model.`;
}

function checked(request: AskRequest, model: Model, reading: Reading, end: LoopEnd, text: string): AskAnswer {
  const parsed = parseAnswer(text, reading);
  const check = checkAnswer(parsed.answer, reading, parsed.named);
  const unread = [...check.dropped, ...parsed.unread];
  const { query } = request.question;
  const confidence = confidenceIn({
    cited: check.cited,
    read: reading.passages,
    question: questionTerms(query, ""),
    supported: unread.length > 0 || check.misquoted.length > 0 ? Math.min(check.supported, 0.6) : check.supported,
    ...(parsed.confidence ? { claimed: parsed.confidence } : {}),
  });
  const remarks = [
    ...end.remarks,
    ...(parsed.note ? [parsed.note] : []),
    ...(reading.passages.length === 0 ? ["The model read no passage: the answer has no source."] : []),
    ...(unread.length > 0
      ? [
          `${plural(unread.length, "citation")} of what was not read ${unread.length === 1 ? "was" : "were"} dropped: ${unread.slice(0, MAX_SHOWN_SENTENCES).join(", ")}.`,
        ]
      : []),
    ...listed("Quoted, but not found in what was read", check.misquoted),
    ...listed("Not supported by what was read", check.unsupported),
  ];
  return finished({
    answer: check.text,
    sources: check.cited.map(sourceOf),
    confidence,
    remarks,
    engine: "model",
    model: model.name,
    calls: end.calls,
    tokensRead: reading.tokens,
    usage: end.usage,
  });
}

function listed(title: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  const shown = texts.slice(0, MAX_SHOWN_SENTENCES).map((text) => `"${cleanLine(text, MAX_SHOWN_CHARS)}"`);
  const more = texts.length - shown.length;
  return [`${title}: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`];
}

/** Quotes the sources, including passages that a model read before it failed. */
async function quoted(
  request: AskRequest,
  reading: Reading,
  remarks: readonly string[],
  end?: LoopEnd,
): Promise<AskAnswer> {
  const { query, useCase } = request.question;
  const ranked = await rankedPassages(request, reading);
  const terms = questionTerms(query, useCase);
  const made = extract(ranked, terms, request.maxTokens, asksHow(query));
  const tokensRead = Math.max(
    reading.tokens,
    ranked.reduce((sum, { text }) => sum + estimateTokens(text), 0),
  );
  const common = {
    engine: "extractive",
    calls: (end?.calls ?? 0) + (useCase.trim() === "" ? 1 : 2),
    tokensRead,
    usage: end?.usage,
  } as const;
  if (!made) {
    const answer = ranked.length === 0 ? "Nothing was found about this." : "Nothing that was found answers this.";
    return finished({
      ...common,
      answer,
      sources: [],
      confidence: "low",
      remarks: [...remarks, ...nearestPlaces(ranked)],
    });
  }
  return finished({
    ...common,
    answer: made.text,
    sources: made.quoted.map(sourceOf),
    confidence: confidenceIn({
      cited: made.quoted,
      read: ranked,
      question: questionTerms(query, ""),
      supported: proximity(made.closest),
    }),
    remarks,
  });
}

/** Support of a quoted answer. Words of the question that are scattered over the text may be unrelated. */
function proximity(closest: number): number {
  return closest >= 0.75 ? 1 : closest >= 0.5 ? 0.75 : 0.3;
}

function nearestPlaces(passages: readonly ReadPassage[]): string[] {
  if (passages.length === 0) return [];
  const shown = passages
    .slice(0, MAX_SHOWN_SENTENCES)
    .map(({ collection, document, section }) => `${collection}: ${document}${section ? ` → ${section}` : ""}`);
  return [`Nearest: ${shown.join("; ")}.`];
}

/** Passages found with the question, and with a lower weight with the use case; best first. */
async function rankedPassages(request: AskRequest, reading: Reading): Promise<ReadPassage[]> {
  const { query, useCase } = request.question;
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

function sourceOf({ ref, collection, document, section, lines }: ReadPassage): CitedSource {
  return { ref, collection, document, ...(section ? { section } : {}), ...(lines ? { lines } : {}) };
}

interface Parts extends Pick<AskAnswer, "answer" | "sources" | "confidence" | "engine" | "model"> {
  remarks: readonly string[];
  calls: number;
  tokensRead: number;
  usage: Usage | undefined;
}

function finished({ answer, sources, confidence, engine, model, remarks, calls, tokensRead, usage }: Parts): AskAnswer {
  const note = remarks.join(" ");
  const whole = [
    answer,
    note,
    ...sources.map((source) => `${source.ref} ${source.collection} ${source.document} ${source.section ?? ""}`),
  ];
  const returned = whole.reduce((sum, text) => sum + estimateTokens(text), 0);
  return {
    answer,
    sources,
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
