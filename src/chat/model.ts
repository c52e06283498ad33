/**
 * Translates the configured model into OpenCode's configuration. The key is not part of it: the configuration names an
 * environment variable from which OpenCode reads the key.
 */
import type { JsonObject } from "../kernel/json.ts";
import { type Endpoint, PROVIDERS } from "../llm/providers.ts";

/** The variable that passes the key to OpenCode. */
const KEY_VARIABLE = "DEX_LLM_API_KEY";

export interface ModelChoice {
  /** The part of opencode.json. */
  config: JsonObject;
  /** Variables for OpenCode's environment. */
  vars: Record<string, string>;
}

/** Providers whose own protocol works better in OpenCode (caching, thinking), with OpenCode's names for them. */
const NATIVE: Readonly<Record<string, string>> = { anthropic: "anthropic", openai: "openai", gemini: "google" };

/** OpenCode uses OpenAI's protocol for any other endpoint. */
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
