/** The endpoint of a model: a provider by name, or any OpenAI-compatible base URL. */

import type { Settings } from "../config/schema.ts";
import { unknownName } from "../kernel/did_you_mean.ts";
import { DexError } from "../kernel/errors.ts";
import { sendsKeyUnencrypted } from "../kernel/net/json_client.ts";
import { ownMember } from "../kernel/own_member.ts";

interface Provider {
  url: string;
  /** The environment variable from which this provider's own tools read the key. */
  key?: string;
}

export const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: { url: "https://api.openai.com/v1", key: "OPENAI_API_KEY" },
  anthropic: { url: "https://api.anthropic.com/v1", key: "ANTHROPIC_API_KEY" },
  gemini: { url: "https://generativelanguage.googleapis.com/v1beta/openai", key: "GEMINI_API_KEY" },
  openrouter: { url: "https://openrouter.ai/api/v1", key: "OPENROUTER_API_KEY" },
  groq: { url: "https://api.groq.com/openai/v1", key: "GROQ_API_KEY" },
  mistral: { url: "https://api.mistral.ai/v1", key: "MISTRAL_API_KEY" },
  deepseek: { url: "https://api.deepseek.com/v1", key: "DEEPSEEK_API_KEY" },
  xai: { url: "https://api.x.ai/v1", key: "XAI_API_KEY" },
  together: { url: "https://api.together.xyz/v1", key: "TOGETHER_API_KEY" },
  fireworks: { url: "https://api.fireworks.ai/inference/v1", key: "FIREWORKS_API_KEY" },
  cerebras: { url: "https://api.cerebras.ai/v1", key: "CEREBRAS_API_KEY" },
  ollama: { url: "http://127.0.0.1:11434/v1" },
  lmstudio: { url: "http://127.0.0.1:1234/v1" },
  llamacpp: { url: "http://127.0.0.1:8080/v1" },
  vllm: { url: "http://127.0.0.1:8000/v1" },
};

export interface Endpoint {
  /** The provider's name, or the host. */
  provider: string;
  url: string;
  model: string;
  key: string | undefined;
}

/** Undefined when nothing is configured, as on a first run. Throws for an incomplete configuration. */
export function endpointFrom({ llm }: Pick<Settings, "llm">, vars: NodeJS.ProcessEnv): Endpoint | undefined {
  const { provider, baseUrl, model, apiKey } = llm;
  if (provider === undefined && baseUrl === undefined && model === undefined) return undefined;
  if (model === undefined) {
    throw new DexError("bad_config", "llm.model is not set.", { hint: "Name the model, or set DEX_LLM_MODEL." });
  }
  const known = provider === undefined ? undefined : ownMember(PROVIDERS, provider.toLowerCase());
  const given = baseUrl ?? (known ? undefined : provider);
  if (given === undefined && !known) {
    throw new DexError("bad_config", "llm.model is set, but llm.provider and llm.baseUrl are not.", {
      hint: `Set llm.provider to ${Object.keys(PROVIDERS).join(", ")}, or to the base URL of an OpenAI-compatible server.`,
    });
  }
  const url = given === undefined ? (known?.url ?? "") : checkedUrl(given, provider);
  // A provider's own key must not be sent to another address.
  const own = given === undefined && known?.key ? vars[known.key]?.trim() : undefined;
  const name = known && provider ? provider.toLowerCase() : new URL(url).host;
  const key = apiKey ?? (own === "" ? undefined : own);
  if (sendsKeyUnencrypted(url, key)) {
    throw new DexError(
      "bad_config",
      `The key for ${name} would be sent over plain http, which others on the network can read.`,
      {
        hint: "Use an https address in llm.baseUrl, or a server on this machine, or unset the key.",
      },
    );
  }
  return { provider: name, url, model, key };
}

function checkedUrl(given: string, provider: string | undefined): string {
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) {
    const names = Object.keys(PROVIDERS);
    throw unknownName({
      code: "bad_config",
      sentence: `"${given.slice(0, 100)}" is neither a provider that dex knows nor an http address.`,
      typed: given.toLowerCase(),
      names,
      hint: `The providers are ${names.join(", ")}.`,
    });
  }
  const url = new URL(given);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new DexError(
      "bad_config",
      `The base URL of ${provider ?? "the model"} must have no password, query or hash.`,
      {
        hint: "Set the key as llm.apiKey or DEX_LLM_API_KEY.",
      },
    );
  }
  return url.href.replace(/\/+$/, "");
}
