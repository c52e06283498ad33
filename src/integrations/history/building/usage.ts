/**
 * The tokens that an agent recorded for a request, in dex's own form. Agents copy the fields of their provider, so the
 * names come from few places; what differs is whether the cache is a part of the input, and reasoning of the output.
 * The numbers are checked when the message is stored.
 */
import type { Message } from "../../../conversations/model.ts";
import type { Usage } from "../../../conversations/usage.ts";
import { defined } from "../../../kernel/defined.ts";
import { asNumber, asObject, type JsonObject } from "../../../kernel/json.ts";

interface Counting {
  /** The recorded input includes the tokens read from the cache and written to it. */
  inputHasCache?: boolean;
  /** Reasoning is recorded next to the output, which does not include it. */
  reasoningApart?: boolean;
}

const NAMES = {
  input: [
    "input_tokens",
    "prompt_tokens",
    "inputTokens",
    "promptTokens",
    "promptTokenCount",
    "input",
    "tokensIn",
    "inputOther",
    "input_other",
  ],
  cache_read: [
    "cache_read_input_tokens",
    "cached_input_tokens",
    "cacheReadInputTokens",
    "cachedInputTokens",
    "cacheReadTokens",
    "cache_read_tokens",
    "cached_tokens",
    "cachedContentTokenCount",
    "cacheRead",
    "cacheReads",
    "cached",
    "cacheInputTokens",
    "cachedReadTokens",
    "inputCacheRead",
    "input_cache_read",
  ],
  cache_write: [
    "cache_creation_input_tokens",
    "cache_write_input_tokens",
    "cacheCreationInputTokens",
    "cacheCreationTokens",
    "cacheWriteTokens",
    "cache_write_tokens",
    "cache_creation_tokens",
    "cacheWrite",
    "cacheWrites",
    "cacheCreateTokens",
    "inputCacheCreation",
    "input_cache_creation",
  ],
  output: [
    "output_tokens",
    "completion_tokens",
    "outputTokens",
    "completionTokens",
    "candidatesTokenCount",
    "output",
    "tokensOut",
  ],
  reasoning: [
    "reasoning_output_tokens",
    "reasoning_tokens",
    "reasoningTokens",
    "thoughtsTokenCount",
    "thinkingTokens",
    "thoughts",
    "reasoning",
  ],
} as const;

/** Undefined if nothing is recorded. */
export function requestUsage(
  recorded: unknown,
  counting: Counting,
  more: Omit<Usage, keyof typeof NAMES>,
): Usage[] | undefined {
  const record = asObject(recorded);
  const cache = asObject(record.cache);
  const perLifetime = asObject(record.cache_creation);
  const inputDetails = asObject(record.prompt_tokens_details ?? record.input_tokens_details);
  const outputDetails = asObject(record.completion_tokens_details ?? record.output_tokens_details);
  const hour = asNumber(perLifetime.ephemeral_1h_input_tokens);
  const read = counted(record, "cache_read") ?? asNumber(cache.read) ?? asNumber(inputDetails.cached_tokens);
  const written =
    counted(record, "cache_write") ??
    asNumber(cache.write) ??
    sum(hour, asNumber(perLifetime.ephemeral_5m_input_tokens));
  const reasoning = counted(record, "reasoning") ?? asNumber(outputDetails.reasoning_tokens);
  const output = counted(record, "output");
  const input = counted(record, "input");
  const usage = defined({
    ...more,
    input: counting.inputHasCache && input !== undefined ? Math.max(0, input - (read ?? 0) - (written ?? 0)) : input,
    cache_read: read,
    cache_write: written,
    cache_write_1h: hour,
    output: counting.reasoningApart ? sum(output, reasoning) : output,
    reasoning,
  });
  const isEmpty = !(usage.input || usage.output || usage.cache_read || usage.cache_write || usage.cost);
  return isEmpty ? undefined : [usage];
}

/** Google's counts: the input includes the cache. Only the total says whether the output includes the thoughts. */
export function googleUsage(recorded: unknown, id: string | undefined): Usage[] | undefined {
  const record = asObject(recorded);
  const total = asNumber(record.totalTokenCount) ?? asNumber(record.total);
  const input = (counted(record, "input") ?? 0) + (asNumber(record.toolUsePromptTokenCount ?? record.tool) ?? 0);
  const apart = total === undefined || total > input + (counted(record, "output") ?? 0);
  return requestUsage(
    { ...record, input_tokens: input },
    { inputHasCache: true, reasoningApart: apart },
    id ? { id } : {},
  );
}

/**
 * Adds tokens that the agent recorded for the whole session to its last message. A sum says how many requests it is of;
 * if the agent does not say so, each answer is one.
 */
export function withSessionUsage(
  messages: Message[],
  usage: readonly Usage[] | undefined,
  answers = countAnswers(messages),
): Message[] {
  const last = messages.at(-1);
  if (!last || !usage) return messages;
  const sums = usage.map((each) => ({ requests: Math.max(1, Math.round(answers / usage.length)), ...each }));
  return messages.with(-1, { ...last, usage: [...(last.usage ?? []), ...sums] });
}

export function countAnswers(messages: readonly Message[]): number {
  return messages.filter(({ role }) => role === "assistant").length;
}

/** Adds each request, which has a time, to the last message before it. */
export function withRequests(messages: readonly Message[], requests: readonly Usage[]): Message[] {
  const added = messages.map((message) => ({ ...message, usage: [...(message.usage ?? [])] }));
  for (const request of requests) {
    const { time } = request;
    const before =
      time === undefined ? -1 : added.findLastIndex((each) => each.time !== undefined && each.time <= time);
    (added[before] ?? added[0])?.usage.push(request);
  }
  return added.map(({ usage, ...message }) => (usage.length > 0 ? { ...message, usage } : message));
}

function counted(record: JsonObject, amount: keyof typeof NAMES): number | undefined {
  for (const name of NAMES[amount]) {
    const value = asNumber(record[name]);
    if (value !== undefined) return value;
  }
  return undefined;
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);
}
