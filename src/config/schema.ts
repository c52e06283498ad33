/** The schema of the settings: every group and key, its type, its default and its description. */
import * as z from "zod";
import { asObject, type JsonObject } from "../kernel/json.ts";
import { isLoopback } from "../kernel/net/loopback.ts";
import { COLLECTION_NAME } from "./collection_name.ts";
import { dollars, modelPrice } from "./model_price.ts";

const webAddress = z.url({ protocol: /^https?$/, error: "must be an http or https address" });

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
      url: webAddress.optional().describe("Address of an OpenAI-compatible service, with or without /embeddings"),
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
      otlp: webAddress.optional().describe("Also send each row to this OpenTelemetry collector"),
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
      project: z
        .boolean()
        .default(true)
        .describe("Index the documents of the repository itself, as the collection `project`"),
      allowPrivate: z
        .union([z.boolean(), z.array(z.string().min(1).max(253)).max(100)])
        .default(false)
        .describe("Web sources may lead to addresses that are not public: true, or these hosts"),
      registry: webAddress.optional().describe("Registry for npm packages; by default npm's own setting"),
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
      baseUrl: webAddress.optional().describe("Overrides the provider's own address"),
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
      inputPrice: dollars.optional().describe("Dollars for a million tokens read"),
      outputPrice: dollars.optional().describe("Dollars for a million tokens written"),
    })
    .prefault({}),
  usage: z
    .strictObject({
      prices: z
        .record(z.string().min(1).max(200), modelPrice)
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

/** The settings of a group; for an empty path, the groups. */
export function settingNames(path: readonly string[]): string[] {
  let schema = z.toJSONSchema(settingsSchema, { io: "input" }) as JsonObject;
  for (const name of path) schema = asObject(asObject(schema.properties)[name]);
  return Object.keys(asObject(schema.properties));
}
