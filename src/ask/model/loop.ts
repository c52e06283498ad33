/**
 * Runs a model with tools until it answers. It may make ten calls; it must answer earlier when it finds nothing new, when
 * the sources agree or when the time is up. The caller checks the answer.
 */
import { randomBytes } from "node:crypto";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import type { ChatMessage, Model, ModelReply, ToolCall, Usage } from "../../llm/model.ts";
import { estimateTokens } from "../../tokens/estimate.ts";
import type { AskStep, Question } from "../answer.ts";
import type { Reading } from "../passage.ts";
import { coverage, questionTerms, termsOf } from "../question/terms.ts";
import { ANSWER_NOW, framed, instructions, MAX_CALLS, questionText } from "./prompt.ts";
import { type AskTool, Toolbox } from "./tools.ts";
import { recentTurns, trimmed } from "./turns.ts";

/** Limit for one request, without the definitions of tools. */
const MAX_CONTEXT_TOKENS = 24_000;
const MAX_TURNS_TOKENS = 4000;
/** Longer tool results are truncated. */
const MAX_RESULT_CHARS = 24_000;
/** Rounds without new passages, or without better coverage of the question, after which the model must answer. */
const MAX_IDLE_ROUNDS = 2;

export interface LoopRun {
  question: Question;
  model: Model;
  tools: readonly AskTool[];
  reading: Reading;
  /** Cancels everything. */
  signal: AbortSignal;
  /** The deadline, in milliseconds of the monotonic clock. */
  ends: number;
  /** Earlier questions and answers. */
  turns: readonly ChatMessage[];
  temperature?: number;
  onStep?(step: AskStep): void;
  onText?(text: string): void;
}

export interface LoopEnd {
  /** Undefined when the model gave no answer. */
  text: string | undefined;
  calls: number;
  usage: Usage;
  /** Remarks for the asker, for example that the answer was cut off. */
  remarks: string[];
  /** The error, when there is no answer. */
  failure?: DexError;
}

export async function runLoop(run: LoopRun): Promise<LoopEnd> {
  const boundary = randomBytes(4).toString("hex");
  const messages: ChatMessage[] = [
    { role: "system", content: instructions(boundary) },
    ...recentTurns(run.turns, MAX_TURNS_TOKENS),
    { role: "user", content: questionText(run.question) },
  ];
  const toolbox = new Toolbox(run.tools, run.reading);
  const progress = new Progress(run);
  const end: LoopEnd = { text: undefined, calls: 0, usage: { input: 0, output: 0 }, remarks: [] };
  let reminded = false;
  let last: string | undefined;
  // Each round calls a tool, is the last one, or follows a reminder.
  for (let round = 0; round <= MAX_CALLS + 2; round += 1) {
    const stop = progress.stop(end.calls);
    if (stop !== undefined && last === undefined) {
      last = stop;
      run.onStep?.({ kind: "stop", reason: stop });
      messages.push({ role: "user", content: ANSWER_NOW });
    }
    let reply: ModelReply;
    try {
      reply = await ask(run, trimmed(messages, MAX_CONTEXT_TOKENS), last === undefined);
    } catch (error) {
      if (run.signal.aborted) throw error;
      if (!(error instanceof DexError)) throw error;
      return { ...end, failure: error };
    }
    addUsage(end.usage, reply.usage);
    if (reply.finish === "length") end.remarks.push("The model's answer was cut off at its limit (llm.maxTokens).");
    const calls = last === undefined ? reply.toolCalls : [];
    if (calls.length === 0) {
      if (
        last === undefined &&
        run.reading.passages.length === 0 &&
        end.calls === 0 &&
        !reminded &&
        run.tools.length > 0
      ) {
        reminded = true;
        messages.push(
          { role: "assistant", content: reply.text },
          { role: "user", content: "You have read nothing yet. Look it up with the tools first, then answer." },
        );
        continue;
      }
      return { ...end, text: reply.text.trim() === "" ? undefined : reply.text };
    }
    messages.push({ role: "assistant", content: reply.text, toolCalls: calls });
    for (const call of calls) messages.push(await answerCall(run, toolbox, call, boundary, end, progress, messages));
    progress.round();
  }
  return end;
}

async function ask(run: LoopRun, messages: ChatMessage[], withTools: boolean): Promise<ModelReply> {
  const deadlineMs = Math.floor(run.ends - performance.now());
  if (deadlineMs <= 0) throw new DexError("model_timeout", "The time limit for this answer has passed.");
  return run.model.chat({
    messages,
    ...(withTools
      ? { tools: run.tools.map(({ name, description, parameters }) => ({ name, description, parameters })) }
      : {}),
    ...(run.temperature === undefined ? {} : { temperature: run.temperature }),
    signal: run.signal,
    deadlineMs,
    ...(run.onText ? { onText: run.onText.bind(run) } : {}),
    onRetry: (reason, waitMs) => run.onStep?.({ kind: "retry", reason, waitMs }),
  });
}

/** Every call needs a result: servers refuse a conversation with an unanswered call. */
async function answerCall(
  run: LoopRun,
  toolbox: Toolbox,
  call: ToolCall,
  boundary: string,
  end: LoopEnd,
  progress: Progress,
  messages: readonly ChatMessage[],
): Promise<ChatMessage> {
  const reply = (content: string): ChatMessage => ({ role: "tool", content, toolCallId: call.id });
  if (end.calls >= MAX_CALLS) return reply(`Not called: all ${MAX_CALLS} calls are used.`);
  run.onStep?.({ kind: "call", tool: call.name, arguments: call.arguments.slice(0, 500) });
  end.calls += 1;
  const { text, fresh, found, repeated, failed } = await toolbox
    .call(call.name, call.arguments, run.signal)
    .catch((error) => {
      run.signal.throwIfAborted();
      return { text: errorMessage(error), fresh: 0, found: 0, repeated: false, failed: true };
    });
  progress.called(fresh);
  const shown = text.length > MAX_RESULT_CHARS ? `${text.slice(0, MAX_RESULT_CHARS)}\n[cut off]` : text;
  const content = framed(shown, boundary);
  // A repeated result that was trimmed from the request is sent again.
  const sees = repeated && trimmed(messages, MAX_CONTEXT_TOKENS).some((message) => message.content.includes(content));
  const given = sees ? "You made this call before: its result is above. Ask something else, or answer." : content;
  const tokens = estimateTokens(given);
  run.reading.count(repeated ? 0 : tokens);
  run.onStep?.({ kind: "result", tool: call.name, found, tokens, repeated, failed });
  return reply(given);
}

/** Decides when further tool calls are no longer worth it. */
class Progress {
  readonly #run: LoopRun;
  #fresh = 0;
  #empty = 0;
  #still = 0;
  #covered = 0;

  constructor(run: LoopRun) {
    this.#run = run;
  }

  called(fresh: number): void {
    this.#fresh += fresh;
  }

  round(): void {
    const { question, reading } = this.#run;
    this.#empty = this.#fresh === 0 ? this.#empty + 1 : 0;
    this.#fresh = 0;
    const held = new Set(
      reading.passages.flatMap(({ text, title, section }) => [...termsOf(`${title} ${section ?? ""} ${text}`)]),
    );
    const covered = coverage(questionTerms(question.query, question.useCase), held);
    this.#still = covered > this.#covered || covered === 0 ? 0 : this.#still + 1;
    this.#covered = covered;
  }

  /** Why the model must answer now; undefined while it may go on. */
  stop(calls: number): string | undefined {
    if (calls >= MAX_CALLS) return `all ${MAX_CALLS} tool calls are used`;
    if (this.#empty >= MAX_IDLE_ROUNDS) return "nothing new was found";
    // Several passages have covered nearly the whole question for some rounds: further reading would only repeat it.
    if (this.#still > MAX_IDLE_ROUNDS && this.#covered > 0.9 && this.#run.reading.passages.length >= 3)
      return "the sources agree";
    return undefined;
  }
}

function addUsage(sum: Usage, part: Usage): void {
  sum.input += part.input;
  sum.output += part.output;
  if (part.estimated) sum.estimated = true;
  if (part.cost !== undefined) sum.cost = (sum.cost ?? 0) + part.cost;
}
