/** Asking to be told: what is watched, how much it must matter, and where it is sent. */
import { randomBytes } from "node:crypto";
import * as z from "zod";
import { DexError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { currentSession } from "../../search/filters/session.ts";
import { CALLBACK_TYPES, type CallbackType, type PATTERN_TYPES, type WatchPattern } from "../../store/subscriptions.ts";
import { webhookTarget } from "../../suggest/delivery/targets.ts";
import { checkPatterns } from "../../suggest/subscriptions/patterns.ts";
import { defineOperation } from "../operation.ts";
import {
  DEFAULT_COOLDOWN,
  DEFAULT_ITEM_COOLDOWN,
  LONGEST_PATTERN,
  patternField,
  projectIdField,
  projectKeyOf,
  shownSubscription,
  subscriptionOutput,
} from "./subscription_fields.ts";

const MOST_PATTERNS = 50;
const MOST_SUBSCRIPTIONS = 500;
const DAY = 24 * 3_600_000;

const shortcut = (what: string) =>
  z.array(z.string().trim().min(1).max(LONGEST_PATTERN)).max(MOST_PATTERNS).default([]).describe(what);

export const subscribe = defineOperation({
  name: "context_subscribe",
  verb: "subscribe",
  summary: "Get context when files, symbols or topics change (while `dex watch` runs)",
  positionals: [],
  input: z.strictObject({
    file: shortcut("Files by a glob, or a folder: src/auth/**"),
    symbol: shortcut("A function or class by its name, or /regex/"),
    topic: shortcut("What a change is about, in words"),
    entity: shortcut("An entityId of an earlier suggestion"),
    watchPatterns: z
      .array(patternField)
      .max(MOST_PATTERNS)
      .default([])
      .describe("What to watch; priority 1 comes first"),
    callbackUrl: z.string().max(2000).optional().describe("Webhook: suggestions are sent there, signed"),
    callbackType: z.enum(CALLBACK_TYPES).optional().describe("poll (default), webhook, or sse: GET /events"),
    sessionId: z.string().max(200).optional().describe("The conversation it is for"),
    projectId: projectIdField,
    minRelevanceScore: z.number().min(0).max(1).default(0.5).describe("Minimum score of an item, from 0 to 1"),
    maxSuggestionsPerTrigger: z.int().min(1).max(20).default(5).describe("Maximum items per suggestion"),
    cooldownMs: z
      .int()
      .min(0)
      .max(DAY)
      .default(DEFAULT_COOLDOWN)
      .describe("Milliseconds to gather changes after a suggestion"),
    itemCooldownMs: z
      .int()
      .min(0)
      .max(30 * DAY)
      .default(DEFAULT_ITEM_COOLDOWN)
      .describe("Milliseconds before an unchanged item is repeated"),
    enabled: z.boolean().default(true).describe("Whether it is on"),
  }),
  output: z.object({
    subscription: subscriptionOutput,
    /** What deliveries are signed with. It is not shown again. */
    secret: z.string().optional(),
  }),
  readOnly: false,
  idempotent: false,
  fresh: false,
  toolset: "context",
  flags: {
    watchPatterns: "watch",
    callbackUrl: "webhook",
    callbackType: "by",
    sessionId: "session",
    projectId: "project",
    minRelevanceScore: "min-score",
    maxSuggestionsPerTrigger: "max",
    cooldownMs: "cooldown",
    itemCooldownMs: "item-cooldown",
  },
  // Shortcuts of the command line for watchPatterns.
  unlisted: ["file", "symbol", "topic", "entity"],
  run: (dex, input) => {
    const watchPatterns = checkPatterns([
      ...input.watchPatterns,
      ...ofType("file", input.file),
      ...ofType("symbol", input.symbol),
      ...ofType("topic", input.topic),
      ...ofType("entity", input.entity),
    ]);
    if (watchPatterns.length === 0 || watchPatterns.length > MOST_PATTERNS) {
      throw new DexError("no_pattern", `A subscription watches from 1 to ${MOST_PATTERNS} patterns.`, {
        hint: "Give some: --file 'src/auth/**', --symbol validateToken, --topic \"authentication\".",
      });
    }
    const callbackType = typeOf(input.callbackType, input.callbackUrl);
    const callbackUrl =
      callbackType === "webhook" ? webhookTarget(input.callbackUrl ?? "", dex.settings.webhooks.allowHosts).href : null;
    const subscription = {
      id: newId("sub"),
      sessionId: input.sessionId ?? currentSession(dex.vars) ?? "",
      projectId: projectKeyOf(dex, input.projectId),
      watchPatterns,
      callbackType,
      callbackUrl,
      minRelevanceScore: input.minRelevanceScore,
      maxSuggestionsPerTrigger: input.maxSuggestionsPerTrigger,
      cooldownMs: input.cooldownMs,
      itemCooldownMs: Math.max(input.itemCooldownMs, input.cooldownMs),
      enabled: input.enabled,
      lastTriggeredAt: null,
      createdAt: dex.now(),
      expired: 0,
    };
    const secret = callbackType === "webhook" ? `whsec_${randomBytes(32).toString("base64url")}` : null;
    return dex.withState((state) => {
      state.transaction(() => {
        if (state.subscriptions.all().length >= MOST_SUBSCRIPTIONS) {
          throw new DexError("too_many", `There are ${MOST_SUBSCRIPTIONS} subscriptions already.`, {
            hint: "`dex subscriptions` lists them, `dex unsubscribe <id>` ends one.",
          });
        }
        state.subscriptions.add(subscription, secret);
      });
      return { subscription: shownSubscription(state, subscription), ...(secret === null ? {} : { secret }) };
    });
  },
});

/** On the command line the order of the flags is the order of importance within a type. */
function ofType(type: (typeof PATTERN_TYPES)[number], patterns: readonly string[]): WatchPattern[] {
  return patterns.map((pattern) => ({ type, pattern, priority: 1 }));
}

function typeOf(type: CallbackType | undefined, url: string | undefined): CallbackType {
  const meant = type ?? (url === undefined ? "poll" : "webhook");
  if ((meant === "webhook") === (url !== undefined)) return meant;
  const message = meant === "webhook" ? "A webhook needs its callbackUrl." : `${meant} has no callbackUrl.`;
  throw new DexError("bad_input", message, {
    hint: "Give the address of the receiver: --webhook http://localhost:3000/.",
  });
}
