/** `dex subscribe`: the patterns to watch, the minimum score of suggestions, and where they are sent. */
import { randomBytes } from "node:crypto";
import * as z from "zod";
import { currentSession } from "../../integrations/session.ts";
import { DexError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import {
  CALLBACK_TYPES,
  type CallbackType,
  type PATTERN_TYPES,
  type WatchPattern,
} from "../../store/state/subscriptions.ts";
import { webhookTarget } from "../../suggest/delivery/targets.ts";
import { checkPatterns } from "../../suggest/subscriptions/patterns.ts";
import { defineOperation } from "../operation.ts";
import { projectFolderField } from "../shared/fields.ts";
import {
  DEFAULT_COOLDOWN_MS,
  DEFAULT_ITEM_COOLDOWN_MS,
  MAX_PATTERN_CHARS,
  patternField,
  projectKeyOf,
  shownSubscription,
  subscriptionOutput,
} from "./subscription_fields.ts";

const MAX_PATTERNS = 50;
const MAX_SUBSCRIPTIONS = 500;
const DAY_MS = 24 * 3_600_000;

const shortcut = (what: string) =>
  z.array(z.string().trim().min(1).max(MAX_PATTERN_CHARS)).max(MAX_PATTERNS).default([]).describe(what);

export const subscribe = defineOperation({
  name: "context_subscribe",
  verb: "subscribe",
  summary: "Get context when files, symbols or topics change (while `dex watch` runs)",
  positionals: [],
  input: z.strictObject({
    file: shortcut("Files by a glob, or a folder: src/auth/**"),
    symbol: shortcut("A function or class by its name, or /regex/"),
    topic: shortcut("The topic of a change, in words"),
    entity: shortcut("An entityId of an earlier suggestion"),
    watch_patterns: z
      .array(patternField)
      .max(MAX_PATTERNS)
      .default([])
      .describe("Patterns to watch; priority 1 comes first"),
    callback_url: z.string().max(2000).optional().describe("Webhook that receives signed suggestions"),
    callback_type: z.enum(CALLBACK_TYPES).optional().describe("poll (default), webhook, or sse: GET /events"),
    session: z.string().max(200).optional().describe("The conversation it is for"),
    project: projectFolderField,
    min_relevance: z.number().min(0).max(1).default(0.5).describe("Minimum score of an item, from 0 to 1"),
    max_suggestions: z.int().min(1).max(20).default(5).describe("Maximum items per suggestion"),
    cooldown_ms: z
      .int()
      .min(0)
      .max(DAY_MS)
      .default(DEFAULT_COOLDOWN_MS)
      .describe("Milliseconds to collect changes after a suggestion"),
    item_cooldown_ms: z
      .int()
      .min(0)
      .max(30 * DAY_MS)
      .default(DEFAULT_ITEM_COOLDOWN_MS)
      .describe("Milliseconds before an unchanged item is repeated"),
    enabled: z.boolean().default(true).describe("Whether it is enabled"),
  }),
  output: z.object({
    subscription: subscriptionOutput,
    /** Signs the deliveries. It is not shown again. */
    secret: z.string().optional(),
  }),
  readOnly: false,
  idempotent: false,
  syncBefore: "none",
  toolset: "context",
  flags: {
    watch_patterns: "watch",
    callback_url: "webhook",
    callback_type: "by",
    min_relevance: "min-score",
    max_suggestions: "max",
    cooldown_ms: "cooldown",
    item_cooldown_ms: "item-cooldown",
  },
  aliases: {
    watch_patterns: ["watchPatterns"],
    callback_url: ["callbackUrl"],
    callback_type: ["callbackType"],
    session: ["sessionId"],
    project: ["projectId"],
    min_relevance: ["minRelevanceScore"],
    max_suggestions: ["maxSuggestionsPerTrigger"],
    cooldown_ms: ["cooldownMs"],
    item_cooldown_ms: ["itemCooldownMs"],
  },
  // Shortcuts for watch_patterns on the command line.
  unlisted: ["file", "symbol", "topic", "entity"],
  run: (dex, input) => {
    const watchPatterns = checkPatterns([
      ...input.watch_patterns,
      ...ofType("file", input.file),
      ...ofType("symbol", input.symbol),
      ...ofType("topic", input.topic),
      ...ofType("entity", input.entity),
    ]);
    if (watchPatterns.length === 0 || watchPatterns.length > MAX_PATTERNS) {
      throw new DexError("no_pattern", `A subscription needs 1 to ${MAX_PATTERNS} patterns.`, {
        hint: 'For example `dex subscribe --file "src/auth/**"`; in the call of a tool, watch_patterns: ["file:src/auth/**"].',
      });
    }
    const callbackType = callbackTypeOf(input.callback_type, input.callback_url);
    const callbackUrl =
      callbackType === "webhook"
        ? webhookTarget(input.callback_url ?? "", dex.settings.webhooks.allowHosts).href
        : null;
    const subscription = {
      id: newId("sub"),
      sessionId: input.session ?? currentSession(dex.vars) ?? "",
      projectId: projectKeyOf(dex, input.project),
      watchPatterns,
      callbackType,
      callbackUrl,
      minRelevanceScore: input.min_relevance,
      maxSuggestionsPerTrigger: input.max_suggestions,
      cooldownMs: input.cooldown_ms,
      itemCooldownMs: Math.max(input.item_cooldown_ms, input.cooldown_ms),
      enabled: input.enabled,
      lastTriggeredAt: null,
      createdAt: dex.now(),
      expired: 0,
    };
    const secret = callbackType === "webhook" ? `whsec_${randomBytes(32).toString("base64url")}` : null;
    return dex.withState((state) => {
      state.transaction(() => {
        if (state.subscriptions.all().length >= MAX_SUBSCRIPTIONS) {
          throw new DexError("too_many", `There are already ${MAX_SUBSCRIPTIONS} subscriptions, which is the limit.`, {
            hint: "`dex subscriptions` lists them, `dex unsubscribe <id>` ends one.",
          });
        }
        state.subscriptions.add(subscription, secret);
      });
      return { subscription: shownSubscription(state, subscription), ...(secret === null ? {} : { secret }) };
    });
  },
});

/** Patterns of the command line share one priority; within a type, the order of the flags decides. */
function ofType(type: (typeof PATTERN_TYPES)[number], patterns: readonly string[]): WatchPattern[] {
  return patterns.map((pattern) => ({ type, pattern, priority: 1 }));
}

function callbackTypeOf(type: CallbackType | undefined, url: string | undefined): CallbackType {
  const meant = type ?? (url === undefined ? "poll" : "webhook");
  if ((meant === "webhook") === (url !== undefined)) return meant;
  const message =
    meant === "webhook" ? "A webhook needs a callback_url." : `A ${meant} subscription takes no callback_url.`;
  throw new DexError("bad_input", message, {
    hint: "Give the address of the receiver: --webhook http://localhost:3000/.",
  });
}
