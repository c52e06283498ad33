/** The environment variables that override settings. */
import { delimiter } from "node:path";
import { asObject, isObject, type JsonObject } from "../kernel/json.ts";
import { momentsOff } from "./moments.ts";

/** Environment variables that override a setting. */
const OVERRIDES: Record<string, (settings: JsonObject, value: string) => void> = {
  DEX_SYNC_EXCLUDE: (settings, value) => assign(settings, "sync", "exclude", value.split(",").filter(Boolean)),
  DEX_SYNC_EXCLUDE_SOURCES: (settings, value) =>
    assign(settings, "sync", "exclude_sources", value.split(",").filter(Boolean)),
  DEX_SYNC_HEADLESS: (settings, value) => assign(settings, "sync", "headless", isTrue(value)),
  DEX_SYNC_BACKGROUND: (settings, value) => assign(settings, "sync", "background", isTrue(value)),
  DEX_SYNC_THREADS: (settings, value) => assign(settings, "sync", "threads", Number(value)),
  DEX_SOURCES_ROOTS: (settings, value) => assign(settings, "sources", "roots", value.split(delimiter).filter(Boolean)),
  DEX_SEARCH_PROJECT_BOOST: (settings, value) => assign(settings, "search", "projectBoost", Number(value)),
  DEX_CHAT_INDEX: (settings, value) => assign(settings, "chat", "index", isTrue(value)),
  DEX_EMBEDDING_PROVIDER: (settings, value) => assign(settings, "embedding", "provider", value),
  DEX_EMBEDDING_URL: (settings, value) => assign(settings, "embedding", "url", value),
  DEX_EMBEDDING_MODEL: (settings, value) => assign(settings, "embedding", "model", value),
  DEX_EMBEDDING_DIMS: (settings, value) => assign(settings, "embedding", "dims", Number(value)),
  DEX_TRACES_ENABLED: (settings, value) => assign(settings, "traces", "enabled", isTrue(value)),
  DEX_TRACES_QUERY: (settings, value) => assign(settings, "traces", "query", isTrue(value)),
  DEX_TRACES_MAX_BYTES: (settings, value) => assign(settings, "traces", "max_bytes", Number(value)),
  DEX_TRACES_OTLP: (settings, value) => assign(settings, "traces", "otlp", value),
  DEX_DOCS_ALLOW_PRIVATE: (settings, value) =>
    assign(settings, "docs", "allowPrivate", /^(true|false|0|1)$/i.test(value) ? isTrue(value) : value.split(",")),
  DEX_DOCS_REGISTRY: (settings, value) => assign(settings, "docs", "registry", value),
  DEX_DOCS_REPOSITORIES: (settings, value) => assign(settings, "docs", "repositories", isTrue(value)),
  DEX_DOCS_PROJECT: (settings, value) => assign(settings, "docs", "project", isTrue(value)),
  DEX_DOCS_MAX_PAGES: (settings, value) => assign(settings, "docs", "maxPages", Number(value)),
  DEX_DOCS_DELAY_MS: (settings, value) => assign(settings, "docs", "delayMs", Number(value)),
  DEX_WEBHOOKS_ALLOW_HOSTS: (settings, value) =>
    assign(settings, "webhooks", "allowHosts", value.split(",").filter(Boolean)),
  DEX_HOOKS: (settings, value) => {
    assign(settings, "hooks", "enabled", !/^(off|0|false|no)$/i.test(value));
    switchOff(settings, momentsOff({ DEX_HOOKS: value }));
  },
  DEX_HOOKS_OFF: (settings, value) => switchOff(settings, momentsOff({ DEX_HOOKS_OFF: value })),
  DEX_HOOK_BUDGET_MS: (settings, value) => assign(settings, "hooks", "budgetMs", Number(value)),
  DEX_HOOKS_REFRESH: (settings, value) => assign(settings, "hooks", "refresh", isTrue(value)),
  DEX_LLM_PROVIDER: (settings, value) => assign(settings, "llm", "provider", value),
  DEX_LLM_BASE_URL: (settings, value) => assign(settings, "llm", "baseUrl", value),
  DEX_LLM_MODEL: (settings, value) => assign(settings, "llm", "model", value),
  DEX_LLM_API_KEY: (settings, value) => assign(settings, "llm", "apiKey", value),
  DEX_LLM_TEMPERATURE: (settings, value) => assign(settings, "llm", "temperature", Number(value)),
  DEX_LLM_MAX_TOKENS: (settings, value) => assign(settings, "llm", "maxTokens", Number(value)),
  DEX_LLM_TIMEOUT: (settings, value) => assign(settings, "llm", "timeout", Number(value)),
  DEX_LLM_INPUT_PRICE: (settings, value) => assign(settings, "llm", "inputPrice", Number(value)),
  DEX_LLM_OUTPUT_PRICE: (settings, value) => assign(settings, "llm", "outputPrice", Number(value)),
  ...proactiveOverrides(),
};

/** DEX_PROACTIVE_MAX_SUGGESTIONS sets agent.proactive.maxSuggestions, and likewise for all of that group. */
function proactiveOverrides(): Record<string, (settings: JsonObject, value: string) => void> {
  const numbers = ["maxSuggestions", "minRelevanceScore", "recentChangeDays"];
  const kinds = ["Decisions", "RecentChanges", "Docs", "RelatedCode", "Warnings", "Conversations"];
  const names = ["enabled", ...numbers, ...kinds.map((kind) => `enable${kind}`)];
  return Object.fromEntries(
    names.map((name) => [
      `DEX_PROACTIVE_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
      (settings: JsonObject, value: string) => {
        const agent = asObject(settings.agent);
        const read = numbers.includes(name) ? Number(value) : isTrue(value);
        assign(settings, "agent", "proactive", { ...asObject(agent.proactive), [name]: read });
      },
    ]),
  );
}

/** The settings that environment variables override, by variable. */
export function overridesIn(vars: NodeJS.ProcessEnv): Map<string, (settings: JsonObject) => void> {
  const found = new Map<string, (settings: JsonObject) => void>();
  for (const [name, apply] of Object.entries(OVERRIDES)) {
    const value = vars[name];
    if (value !== undefined && value !== "") found.set(name, (settings) => apply(settings, value));
  }
  return found;
}

function switchOff(settings: JsonObject, moments: Iterable<string>): void {
  const off = Object.fromEntries([...moments].map((moment) => [moment, false]));
  if (Object.keys(off).length === 0) return;
  assign(settings, "hooks", "moments", { ...asObject(asObject(settings.hooks).moments), ...off });
}

function assign(settings: JsonObject, group: string, key: string, value: JsonObject[string]): void {
  const existing = settings[group];
  settings[group] = { ...(isObject(existing) ? existing : {}), [key]: value };
}

function isTrue(value: string): boolean {
  return value === "1" || value.toLowerCase() === "true";
}
