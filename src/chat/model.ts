/**
 * The configured model as OpenCode's configuration names it. The key is never part of that: OpenCode reads it from the
 * environment variable that the configuration names.
 */
import type { JsonObject } from "../kernel/json.ts";
import { type Endpoint, PROVIDERS } from "../llm/providers.ts";

/** The variable in which the key reaches OpenCode. */
const KEY_VARIABLE = "DEX_LLM_API_KEY";

export interface ModelChoice {
  /** For opencode.json. */
  config: JsonObject;
  /** For OpenCode's environment. */
  vars: Record<string, string>;
}

/** Providers with which OpenCode better speaks their own protocol (caching, thinking), under its names of them. */
const NATIVE: Readonly<Record<string, string>> = { anthropic: "anthropic", openai: "openai", gemini: "google" };

/** Any other endpoint is spoken to in OpenAI's protocol. */
export function chooseModel({ provider, url, model, key }: Endpoint): ModelChoice {
  const native = url === PROVIDERS[provider]?.url ? NATIVE[provider] : undefined;
  const id = native ?? "dex";
  const options: JsonObject = {};
  if (!native) options.baseURL = url;
  if (key !== undefined) options.apiKey = `{env:${KEY_VARIABLE}}`;
  const own: JsonObject = { options, models: { [model]: { name: model } } };
  if (!native) Object.assign(own, { npm: "@ai-sdk/openai-compatible", name: provider });
  const full = `${id}/${model}`;
  return {
    config: { model: full, small_model: full, enabled_providers: [id], provider: { [id]: own } },
    vars: key === undefined ? {} : { [KEY_VARIABLE]: key },
  };
}
