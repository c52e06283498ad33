/**
 * A language model behind any OpenAI-compatible endpoint. No model is configured on a first run: `modelFrom` then gives
 * undefined, and whoever asked works without one.
 *
 * The key goes to the configured base URL and nowhere else: not along a redirect, not into an error. A server that is
 * busy or out of reach is asked again after 1, 2 and 4 seconds, or when it says, as long as the deadline allows.
 */
import type { Settings } from "../config/settings.ts";
import { DexError, errorMessage } from "../kernel/errors.ts";
import type { JsonObject } from "../kernel/json.ts";
import { estimateTokens } from "../kernel/tokens.ts";
import { Failure, post } from "./post.ts";
import { type Endpoint, endpointFrom } from "./providers.ts";
import { refusedOption, requestBody, type WireReply } from "./wire.ts";

export interface ToolCall {
  id: string;
  name: string;
  /** JSON as the model wrote it: perhaps malformed. */
  arguments: string;
}

export interface ChatMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  toolCalls?: readonly ToolCall[];
  /** Of a tool's result: the call it answers. */
  toolCallId?: string;
}

export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema. */
  parameters: JsonObject;
}

export interface ModelRequest {
  messages: readonly ChatMessage[];
  tools?: readonly ToolDefinition[];
  /** The answer's form. A server that cannot hold the model to it is asked without: the messages must say it, too. */
  schema?: { name: string; schema: JsonObject };
  /** In place of the settings'. */
  temperature?: number;
  maxTokens?: number;
  signal?: AbortSignal;
  /** For everything, retries included; in place of the settings'. */
  deadlineMs?: number;
  /** Streams: called with each piece of text. */
  onText?(text: string): void;
  /** Told before each wait. */
  onRetry?(reason: string, waitMs: number): void;
}

export interface Usage {
  input: number;
  output: number;
  /** The server did not count: these are dex's own estimates. */
  estimated?: true;
  /** In dollars, where prices are configured. */
  cost?: number;
}

export interface ModelReply {
  text: string;
  toolCalls: ToolCall[];
  /** Why the model stopped: `stop`, `tool_calls`, `length`, … */
  finish: string;
  usage: Usage;
  /** As the server names it. */
  model: string;
}

export interface Model {
  name: string;
  provider: string;
  chat(request: ModelRequest): Promise<ModelReply>;
}

export interface ModelOptions {
  /** Where a provider's own key may be: OPENAI_API_KEY and the like. */
  vars?: NodeJS.ProcessEnv;
  sleep?(ms: number, signal: AbortSignal): Promise<void>;
}

const WAITS = [1000, 2000, 4000] as const;
/** A server that asks for more patience than this is not worth waiting for. */
const LONGEST_WAIT = 60_000;
/** Parts of a request that a server may refuse, one after the other. */
const MOST_OPTIONS = 4;
const LONGEST_REASON = 300;

export function modelFrom(settings: Settings, options: ModelOptions = {}): Model | undefined {
  const endpoint = endpointFrom(settings, options.vars ?? {});
  if (!endpoint) return undefined;
  const sleep = options.sleep ?? wait;
  /** What the server was found to refuse. */
  const without = new Set<string>();
  return {
    name: endpoint.model,
    provider: endpoint.provider,
    chat: async (asked) => {
      const { temperature, maxTokens, timeout } = settings.llm;
      const request = { temperature, maxTokens, ...asked };
      const deadlineMs = asked.deadlineMs ?? timeout * 1000;
      const deadline = AbortSignal.timeout(Math.min(Math.ceil(deadlineMs), 2 ** 31 - 1));
      const signal = asked.signal ? AbortSignal.any([asked.signal, deadline]) : deadline;
      const ends = performance.now() + deadlineMs;
      try {
        const reply = await attempts(endpoint, request, without, { signal, sleep, ends });
        return finished(reply, request, endpoint, settings);
      } catch (error) {
        throw await explained(error, endpoint, asked.signal, deadlineMs);
      }
    },
  };
}

interface Attempt {
  signal: AbortSignal;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** When the deadline is, by the performance clock. */
  ends: number;
}

async function attempts(
  endpoint: Endpoint,
  request: ModelRequest,
  without: Set<string>,
  { signal, sleep, ends }: Attempt,
): Promise<WireReply> {
  let heard = false;
  const listen = (text: string): void => {
    heard = true;
    request.onText?.(text);
  };
  for (let tries = 0, refused = 0; ; ) {
    signal.throwIfAborted();
    const body = requestBody(endpoint.model, request, without);
    try {
      const target = { url: `${endpoint.url}/chat/completions`, key: endpoint.key, body: JSON.stringify(body), signal };
      return await post(request.onText ? { ...target, onText: listen } : target);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const option = error.status === 400 || error.status === 422 ? refusedOption(body, error.message) : undefined;
      if (option !== undefined && refused < MOST_OPTIONS) {
        without.add(option);
        refused += 1;
        continue;
      }
      const pause = error.wait ?? WAITS[tries];
      // What was streamed already cannot be taken back, so such an answer is not begun anew.
      if (!error.again || heard || tries >= WAITS.length || pause === undefined) throw error;
      if (pause > LONGEST_WAIT || performance.now() + pause > ends) throw error;
      request.onRetry?.(clean(error.message, endpoint), pause);
      tries += 1;
      await sleep(pause, signal);
    }
  }
}

function finished(reply: WireReply, request: ModelRequest, endpoint: Endpoint, { llm }: Settings): ModelReply {
  const counted = reply.usage;
  const usage: Usage = counted ?? {
    input: request.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0),
    output: estimateTokens(reply.text) + reply.toolCalls.reduce((sum, call) => sum + estimateTokens(call.arguments), 0),
    estimated: true,
  };
  if (llm.inputPrice !== undefined && llm.outputPrice !== undefined) {
    usage.cost = (usage.input * llm.inputPrice + usage.output * llm.outputPrice) / 1_000_000;
  }
  const { text, toolCalls, finish = "stop", model = endpoint.model } = reply;
  return { text, toolCalls, finish, usage, model };
}

const HINTS: Readonly<Record<string, string>> = {
  model_denied: "Check llm.apiKey, or DEX_LLM_API_KEY.",
  model_busy: "Wait a while, or choose another model.",
  model_unreachable: "Check that it runs, and llm.provider or llm.baseUrl.",
  model_redirect: "Set llm.baseUrl to the address it redirects to, if you trust that one.",
  model_malformed: "Check llm.baseUrl: it is the address that /chat/completions follows, often with /v1 at its end.",
  model_cut: "Run it again.",
};

/** What went wrong as a sentence that names the server and never holds the key. */
async function explained(
  error: unknown,
  endpoint: Endpoint,
  caller: AbortSignal | undefined,
  deadlineMs: number,
): Promise<unknown> {
  if (caller?.aborted) return new DexError("cancelled", `The request to ${endpoint.model} was cancelled.`);
  const name = `${endpoint.model} at ${endpoint.provider}`;
  if (error instanceof Failure) {
    const { redactText } = await import("../redact/redact.ts");
    const text = redactText(clean(error.message, endpoint)).text;
    return new DexError(error.code, `${name} ${text}${/[.!?]$/.test(text) ? "" : "."}`, {
      hint: HINTS[error.code] ?? "Check llm.model and the other llm settings.",
    });
  }
  if (error instanceof Error && error.name === "TimeoutError") {
    return new DexError("model_timeout", `${name} gave no whole answer within ${deadlineMs / 1000} s.`, {
      hint: "Raise llm.timeout, or ask for less.",
    });
  }
  return new DexError("model_failed", `${name} could not be asked: ${clean(errorMessage(error), endpoint)}.`);
}

function clean(text: string, { key }: Endpoint): string {
  const safe = key === undefined ? text : text.replaceAll(key, "[key]");
  const line = safe.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line;
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
