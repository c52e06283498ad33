/**
 * The model a chat uses, as OpenCode's configuration names it. The key itself is never part of it: OpenCode reads it
 * from the environment variable that the configuration names.
 */
import type { JsonObject } from "../../kernel/json.ts";

/** The `llm` settings: a provider OpenCode knows by name (`anthropic`), or any address that speaks OpenAI's protocol. */
export interface ModelSettings {
  provider?: string;
  model?: string;
  apiKey?: string;
  baseUrl?: string;
}

/** The variable in which a key from config.yaml reaches OpenCode. */
export const KEY_VARIABLE = "DEX_LLM_API_KEY";

export interface ModelChoice {
  /** For opencode.json. */
  config: JsonObject;
  /** For OpenCode's environment. */
  vars: Record<string, string>;
}

/** Without settings OpenCode takes what its environment offers, and the choice is empty. */
export function chooseModel(settings: ModelSettings): ModelChoice | undefined {
  const { model } = settings;
  const named = isAddress(settings.provider) ? undefined : settings.provider;
  const address = settings.baseUrl ?? (isAddress(settings.provider) ? settings.provider : undefined);
  if (!model || (named === undefined && address === undefined)) return undefined;
  const provider = named ?? "custom";
  const options: JsonObject = {};
  if (address !== undefined) options.baseURL = address;
  if (settings.apiKey) options.apiKey = `{env:${KEY_VARIABLE}}`;
  const own: JsonObject = { options, models: { [model]: { name: model } } };
  if (!KNOWN.has(provider)) Object.assign(own, { npm: "@ai-sdk/openai-compatible", name: provider });
  const full = `${provider}/${model}`;
  return {
    config: { model: full, small_model: full, enabled_providers: [provider], provider: { [provider]: own } },
    vars: settings.apiKey ? { [KEY_VARIABLE]: settings.apiKey } : {},
  };
}

/** Providers whose protocol OpenCode knows by their name. Any other one is spoken to as OpenAI's. */
const KNOWN = new Set(["anthropic", "openai", "google", "openrouter", "groq", "mistral", "xai", "deepseek", "azure"]);

function isAddress(provider: string | undefined): boolean {
  return provider !== undefined && /^https?:\/\//.test(provider);
}
