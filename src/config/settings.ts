/** The settings: one schema, read from config.yaml, overridden by the environment. No file means all defaults. */

import { readFileSync } from "node:fs";
import { delimiter } from "node:path";
import * as z from "zod";
import { endedWithQuestion } from "../kernel/did_you_mean.ts";
import { DexError, errorMessage, systemCode } from "../kernel/errors.ts";
import { issueText } from "../kernel/issue_text.ts";
import { asObject, isObject, type JsonObject } from "../kernel/json.ts";
import { isLoopback } from "../kernel/net/loopback.ts";
import { momentsOff } from "./moments.ts";

/** The name of a collection. */
export const COLLECTION_NAME = /^[A-Za-z0-9@][A-Za-z0-9@._/-]{0,99}$/;

const dollars = z.number().min(0).max(1_000_000);
/** Dollars for a million tokens. */
const PRICE = {
  input: dollars,
  output: dollars,
  cache_read: dollars.optional(),
  cache_write: dollars.optional(),
  cache_write_1h: dollars.optional(),
};
/** Tokens of an input above which providers ask for more. */
const INPUT_SIZE = z.literal([32_000, 128_000, 200_000, 256_000, 272_000, 512_000]);

export const settingsSchema = z.strictObject({
  sync: z
    .strictObject({
      exclude: z.array(z.string()).default([]).describe("Globs of project or file paths that are never indexed"),
      exclude_sources: z.array(z.string()).default([]).describe("Agents that are never read"),
      headless: z.boolean().default(false).describe("Index sessions started by programs (SDK), too"),
      background: z
        .boolean()
        .default(true)
        .describe("Servers start a sync that takes long in the background; false: only `dex sync` does"),
      threads: z.number().int().min(0).max(16).optional().describe("Reader threads; 0 reads in the main thread"),
    })
    .prefault({}),
  sources: z
    .strictObject({
      roots: z.array(z.string()).default([]).describe("Folders to search for agents without a central store"),
    })
    .prefault({}),
  search: z
    .strictObject({
      projectBoost: z
        .number()
        .min(0)
        .max(1)
        .default(0.1)
        .describe("How much conversations of the current project rank higher, as a share of the best score"),
    })
    .prefault({}),
  chat: z
    .strictObject({ index: z.boolean().default(false).describe("Index dex's own chat sessions, too") })
    .prefault({}),
  embedding: z
    .strictObject({
      provider: z
        .enum(["static", "minilm", "endpoint", "none"])
        .default("static")
        .describe("The model that computes vectors"),
      url: z
        .url({ protocol: /^https?$/, error: "must be an http or https address" })
        .optional()
        .describe("Address of an OpenAI-compatible service, with or without /embeddings"),
      model: z.string().min(1).max(200).optional().describe("The endpoint's name for the model"),
      dims: z.number().int().min(8).max(4096).optional().describe("Dimensions to ask the endpoint for"),
    })
    .refine(({ provider, url, model }) => provider !== "endpoint" || (url !== undefined && model !== undefined), {
      path: ["provider"],
      error: "endpoint needs embedding.url and embedding.model, too",
    })
    .prefault({}),
  traces: z
    .strictObject({
      enabled: z.boolean().default(true).describe("Record each retrieval"),
      query: z.boolean().default(true).describe("Record the text of queries, not only a hash"),
      max_bytes: z
        .number()
        .int()
        .min(64 << 10)
        .max(1 << 30)
        .default(2_000_000)
        .describe("Maximum size of one trace file; dex keeps five"),
      otlp: z
        .url({ protocol: /^https?$/, error: "must be an http or https address" })
        .optional()
        .describe("Also send each row to this OpenTelemetry collector"),
      otlp_remote: z.boolean().default(false).describe("The collector may be on another machine"),
    })
    .refine(({ otlp, otlp_remote }) => otlp === undefined || otlp_remote || isLoopback(otlp), {
      path: ["otlp"],
      error: "is on another machine; set traces.otlp_remote: true if traces may go there",
    })
    .prefault({}),
  docs: z
    .strictObject({
      collections: z
        .record(
          z.string().regex(COLLECTION_NAME, "is not a name: letters, digits and . _ - @ / only"),
          z.union([
            z.string().min(1).max(4000),
            z.strictObject({
              url: z.string().min(1).max(4000),
              exclude: z.array(z.string().max(1000)).max(100).optional(),
            }),
          ]),
        )
        .default({})
        .describe("Collections that every project sees, by name"),
      allowPrivate: z
        .union([z.boolean(), z.array(z.string().min(1).max(253)).max(100)])
        .default(false)
        .describe("Web sources may lead to addresses that are not public: true, or these hosts"),
      registry: z
        .url({ protocol: /^https?$/, error: "must be an http or https address" })
        .optional()
        .describe("Registry for npm packages; by default npm's own setting"),
      repositories: z
        .boolean()
        .default(true)
        .describe("Fetch the documentation of a package from its repository or homepage, if the package has little"),
      catalogue: z
        .record(z.string().min(1).max(214), z.string().min(1).max(4000))
        .default({})
        .describe("Git repositories with the documentation of packages, by package"),
      maxFileBytes: z
        .number()
        .int()
        .min(1000)
        .max(64 << 20)
        .default(16 << 20)
        .describe("Maximum size of a document"),
      maxTotalBytes: z
        .number()
        .int()
        .min(1000)
        .max(8 * 2 ** 30)
        .default(2 ** 30)
        .describe("Maximum size of a collection"),
      maxFiles: z.number().int().min(1).max(1_000_000).default(50_000).describe("Maximum documents of a collection"),
      maxPages: z.number().int().min(1).max(100_000).default(2000).describe("Maximum pages of a web site"),
      delayMs: z
        .number()
        .int()
        .min(0)
        .max(60_000)
        .default(100)
        .describe("Milliseconds between two requests to a web site"),
      timeout: z.number().min(1).max(3600).default(30).describe("Seconds for one page or package"),
    })
    .prefault({}),
  webhooks: z
    .strictObject({
      allowHosts: z
        .array(z.string().min(1).max(253))
        .max(100)
        .default([])
        .describe("Hosts other than this machine that subscriptions may send to: example.com, *.example.com"),
    })
    .prefault({}),
  hooks: z
    .strictObject({
      enabled: z.boolean().default(true).describe("Answer the hooks of agents; false turns all hooks off"),
      budgetMs: z.number().int().min(1).max(60_000).default(300).describe("Milliseconds after which a hook gives up"),
      refresh: z.boolean().default(true).describe("Refresh the project in the background when a session starts"),
      moments: z
        .strictObject({
          start: z.boolean().default(true).describe("Speak when a session starts"),
          prompt: z.boolean().default(true).describe("Speak when a prompt is sent"),
          file: z.boolean().default(true).describe("Speak after a file was read or edited"),
          edit: z.boolean().default(true).describe("Speak before an edit"),
          command: z.boolean().default(true).describe("Speak before a command"),
          end: z.boolean().default(true).describe("Save what a session did when it ends"),
          statusline: z.boolean().default(true).describe("Print the status line"),
        })
        .prefault({}),
    })
    .prefault({}),
  history: z
    .strictObject({
      findCopies: z
        .boolean()
        .default(true)
        .describe("Look for copies of the repository in other folders; false: only history.copies counts"),
      copies: z
        .record(z.string().min(1).max(4096), z.union([z.string().min(1).max(4096), z.literal(false)]))
        .default({})
        .describe("By folder: the repository whose copy it is, or false if it is not a copy"),
    })
    .prefault({}),
  team: z
    .strictObject({
      push: z
        .boolean()
        .default(true)
        .describe("`dex refresh` and `dex watch` push to the team; false: only `dex push`"),
      exclude: z
        .array(z.string().min(1).max(1000))
        .max(100)
        .default([])
        .describe("Globs of project or file paths whose conversations never go to a team"),
      waitMs: z
        .int()
        .min(0)
        .max(60_000)
        .default(250)
        .describe("Milliseconds without a sign of the team's server after which a command answers without it"),
      cacheMb: z
        .int()
        .min(1)
        .max(1_000_000)
        .default(500)
        .describe("Megabytes of shared conversations that dex keeps on this machine, the most recently used ones"),
      retrySeconds: z
        .int()
        .min(0)
        .max(86_400)
        .default(30)
        .describe("Seconds in which commands do not ask a server again that did not answer in time"),
      reviewHours: z
        .number()
        .min(0)
        .max(24 * 365)
        .optional()
        .describe("Hours between sharing a project and its first push; by default the team's setting, else 24"),
    })
    .prefault({}),
  watch: z
    .strictObject({
      reports: z
        .array(z.string().min(1).max(1000))
        .max(100)
        .default([])
        .describe("Globs of test reports in addition to the usual places"),
    })
    .prefault({}),
  llm: z
    .strictObject({
      provider: z.string().min(1).max(500).optional().describe("openai, openrouter, ollama, …, or a base URL"),
      baseUrl: z
        .url({ protocol: /^https?$/, error: "must be an http or https address" })
        .optional()
        .describe("Overrides the provider's own address"),
      model: z.string().min(1).max(200).optional().describe("The model's name, as the provider spells it"),
      apiKey: z
        .string()
        .min(1)
        .max(4000)
        .regex(/^[\x21-\x7e]+$/, "has a space or a sign no key has")
        .optional()
        .describe("The provider's key")
        .meta({ secret: true }),
      temperature: z.number().min(0).max(2).optional().describe("From 0 (deterministic) to 2"),
      maxTokens: z.number().int().min(1).max(1_000_000).optional().describe("Maximum tokens of one answer"),
      timeout: z.number().min(1).max(3600).default(180).describe("Seconds for one answer, retries included"),
      inputPrice: z.number().min(0).max(1_000_000).optional().describe("Dollars for a million tokens read"),
      outputPrice: z.number().min(0).max(1_000_000).optional().describe("Dollars for a million tokens written"),
    })
    .prefault({}),
  usage: z
    .strictObject({
      prices: z
        .record(
          z.string().min(1).max(200),
          z.strictObject({
            ...PRICE,
            tiers: z
              .array(z.strictObject({ above: INPUT_SIZE, ...PRICE }))
              .max(10)
              .optional(),
          }),
        )
        .default({})
        .describe("Dollars for a million tokens, by model; they replace dex's own price table"),
      timezone: z.string().min(1).max(100).optional().describe("Time zone of days, such as Europe/Berlin"),
      blockTokens: z.number().int().min(1).max(1e12).optional().describe("Tokens of a block of five hours; its limit"),
    })
    .prefault({}),
  agent: z
    .strictObject({
      proactive: z
        .strictObject({
          enabled: z.boolean().default(true).describe("Make proactive suggestions; false turns them off"),
          maxSuggestions: z.number().int().min(1).max(50).default(5).describe("Maximum suggestions at a time"),
          minRelevanceScore: z
            .number()
            .min(0)
            .max(1)
            .default(0.5)
            .describe("Minimum probability of use, from 0 to 1, for a suggestion"),
          recentChangeDays: z.number().min(1).max(365).default(7).describe("Days for which a change counts as recent"),
          enableDecisions: z.boolean().default(true).describe("Suggest decisions"),
          enableRecentChanges: z.boolean().default(true).describe("Suggest recent changes"),
          enableDocs: z.boolean().default(true).describe("Suggest documents"),
          enableRelatedCode: z.boolean().default(true).describe("Suggest related code"),
          enableWarnings: z.boolean().default(true).describe("Suggest warnings"),
          enableConversations: z.boolean().default(true).describe("Suggest past conversations"),
        })
        .prefault({}),
    })
    .prefault({}),
});

export type Settings = z.infer<typeof settingsSchema>;

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

export async function loadSettings(path: string, vars: NodeJS.ProcessEnv): Promise<Settings> {
  const raw = await readConfig(path);
  for (const apply of overridesIn(vars).values()) apply(raw);
  const parsed = settingsSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new DexError("bad_config", `${path}: ${describeIssue(issue)}`, {
    hint: "Correct that line, or remove it to use the default.",
  });
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

/** Undefined when the file does not exist. */
export function readConfigText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return undefined;
    throw new DexError("bad_config", `${path} cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}

export async function readConfig(path: string): Promise<JsonObject> {
  const text = readConfigText(path);
  if (text === undefined) return {};
  const { parse } = await import("yaml");
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new DexError("bad_config", `${path} is not valid YAML: ${errorMessage(error)}`, { cause: error });
  }
  if (value === null || value === undefined) return {};
  if (isObject(value)) return value;
  throw new DexError("bad_config", `${path} must hold settings by name.`, { hint: "See docs/guide/configuration.md." });
}

export function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return "is not valid.";
  const where = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    const sentence = `unknown setting "${where === "" ? key : `${where}.${key}`}"`;
    return endedWithQuestion(sentence, key, namesAt(issue.path.map(String)), JSON.stringify);
  }
  return `${where} ${issueText(issue)}.`;
}

/** The settings of a group; for an empty path, the groups. */
function namesAt(path: readonly string[]): string[] {
  let schema = z.toJSONSchema(settingsSchema, { io: "input" }) as JsonObject;
  for (const name of path) schema = asObject(asObject(schema.properties)[name]);
  return Object.keys(asObject(schema.properties));
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
