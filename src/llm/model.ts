/**
 * A language model behind any OpenAI-compatible endpoint. When no model is configured, `modelFrom` returns undefined and
 * the caller works without one.
 *
 * The key goes to the configured base URL and nowhere else: not along a redirect, not over plain http to another machine,
 * not into an error. Requests to a busy or unreachable server are retried after 1, 2 and 4 seconds, or after the delay
 * that the server asks for, until the deadline.
 */
import type { Settings } from "../config/schema.ts";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { RequestFailure, retrying, withoutKey } from "../kernel/net/json_client.ts";
import { cleanLine } from "../text/clean.ts";
import { estimateTokens } from "../tokens/estimate.ts";
import { post } from "./post.ts";
import { type Endpoint, endpointFrom } from "./providers.ts";
import { type ModelRequest, refusedOption, requestBody, type ToolCall, type WireReply } from "./wire.ts";

export type { ChatMessage, ModelRequest, ToolCall, ToolDefinition } from "./wire.ts";

export interface Usage {
  input: number;
  output: number;
  /** The server reported no usage: these are dex's own estimates. */
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
  /** The server's name for the model. */
  model: string;
}

export interface Model {
  name: string;
  provider: string;
  chat(request: ModelRequest): Promise<ModelReply>;
}

export interface ModelOptions {
  /** May hold a provider's own key: OPENAI_API_KEY and the like. */
  vars?: NodeJS.ProcessEnv;
  sleep?(ms: number, signal: AbortSignal): Promise<void>;
}

const RETRY_DELAYS_MS = [1000, 2000, 4000] as const;
/** How many optional parts of a request a server may refuse before dex gives up. */
const MAX_REFUSED_OPTIONS = 4;
const MAX_REASON_CHARS = 300;

export function modelFrom(settings: Settings, options: ModelOptions = {}): Model | undefined {
  const endpoint = endpointFrom(settings, options.vars ?? {});
  if (!endpoint) return undefined;
  /** Optional parts of a request that the server has refused. */
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
        const reply = await attempts(endpoint, request, without, { signal, sleep: options.sleep, ends });
        return finished(reply, request, endpoint, settings);
      } catch (error) {
        throw await explained(error, endpoint, asked.signal, deadlineMs);
      }
    },
  };
}

interface Attempt {
  signal: AbortSignal;
  sleep: ModelOptions["sleep"];
  /** Deadline (monotonic ms). */
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
  const attempt = async (): Promise<WireReply> => {
    try {
      return await askAccepted(endpoint, request, without, { signal, ...(request.onText ? { onText: listen } : {}) });
    } catch (error) {
      // Text that was already streamed cannot be taken back, so dex does not retry.
      if (!heard || !(error instanceof RequestFailure)) throw error;
      throw new RequestFailure(error.kind, error.message, { cause: error });
    }
  };
  return retrying(attempt, {
    waitsMs: RETRY_DELAYS_MS,
    signal,
    endsAt: ends,
    ...(sleep ? { sleep } : {}),
    onRetry: (failure, waitMs) => request.onRetry?.(reason(failure.message, endpoint), waitMs),
  });
}

/** Repeats the request at once without the option that the server refused. */
async function askAccepted(
  endpoint: Endpoint,
  request: ModelRequest,
  without: Set<string>,
  how: { signal: AbortSignal; onText?(text: string): void },
): Promise<WireReply> {
  for (let refused = 0; ; refused += 1) {
    const body = requestBody(endpoint.model, request, without);
    try {
      const url = `${endpoint.url}/chat/completions`;
      return await post({ url, key: endpoint.key, body: JSON.stringify(body), ...how });
    } catch (error) {
      const isRefusal = error instanceof RequestFailure && (error.status === 400 || error.status === 422);
      const option = isRefusal ? refusedOption(body, error.message) : undefined;
      if (option === undefined || refused >= MAX_REFUSED_OPTIONS) throw error;
      without.add(option);
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
  unencrypted: "Use an https address in llm.baseUrl, or a server on this machine, or unset the key.",
  denied: "Check llm.apiKey, or DEX_LLM_API_KEY.",
  busy: "Wait a while, or choose another model.",
  unreachable: "Check that it runs, and llm.provider or llm.baseUrl.",
  redirect: "Set llm.baseUrl to the address it redirects to, if you trust that one.",
  malformed: "Check llm.baseUrl: it is the address that /chat/completions follows, often with /v1 at its end.",
  cut: "Run the command again.",
};

/** Turns a failed request into an error that names the server and never holds the key. */
async function explained(
  error: unknown,
  endpoint: Endpoint,
  caller: AbortSignal | undefined,
  deadlineMs: number,
): Promise<unknown> {
  if (caller?.aborted) return new DexError("cancelled", `The request to ${endpoint.model} was cancelled.`);
  const name = `${endpoint.model} at ${endpoint.provider}`;
  if (error instanceof RequestFailure) {
    const { quoteReason } = await import("../redact/quote.ts");
    const text = quoteReason(withoutKey(error.message, endpoint.key), MAX_REASON_CHARS);
    return new DexError(`model_${error.kind}`, `${name} ${text}${/[.!?]$/.test(text) ? "" : "."}`, {
      hint: HINTS[error.kind] ?? "Check llm.model and the other llm settings.",
    });
  }
  if (error instanceof Error && error.name === "TimeoutError") {
    return new DexError("model_timeout", `${name} did not finish its answer within ${deadlineMs / 1000} s.`, {
      hint: "Raise llm.timeout, or ask for less.",
    });
  }
  return new DexError("model_failed", `The request to ${name} failed: ${reason(errorMessage(error), endpoint)}.`);
}

function reason(text: string, { key }: Endpoint): string {
  return cleanLine(withoutKey(text, key), MAX_REASON_CHARS);
}
