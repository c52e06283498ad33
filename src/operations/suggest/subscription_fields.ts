/** Input fields and output form shared by the verbs about subscriptions. */
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { projectKey } from "../../history/repository.ts";
import { unknownName } from "../../kernel/did_you_mean.ts";
import { DexError } from "../../kernel/errors.ts";
import { repositoryOf } from "../../project/repository.ts";
import type { StateStore } from "../../store/state/state.ts";
import { CALLBACK_TYPES, PATTERN_TYPES, type Subscription } from "../../store/state/subscriptions.ts";

export const MAX_PATTERN_CHARS = 300;
export const DEFAULT_COOLDOWN_MS = 5000;
export const DEFAULT_ITEM_COOLDOWN_MS = 30 * 60_000;

const patternOutput = z.strictObject({
  type: z.enum(PATTERN_TYPES),
  pattern: z.string().trim().min(1).max(MAX_PATTERN_CHARS),
  priority: z.int().min(1).max(1000).default(1),
});

/** On the command line `type:pattern`. */
export const patternField = z.preprocess((given) => {
  const typed = typeof given === "string" ? /^(\w+):(.*)$/s.exec(given) : undefined;
  return typed ? { type: typed[1], pattern: typed[2] } : given;
}, patternOutput);

export const subscriptionIdField = z.string().min(1).max(100).describe("The subscription's id or a unique prefix");

export const subscriptionOutput = z.object({
  id: z.string(),
  sessionId: z.string(),
  projectId: z.string(),
  watchPatterns: z.array(patternOutput),
  callbackType: z.enum(CALLBACK_TYPES),
  callbackUrl: z.string().optional(),
  minRelevanceScore: z.number(),
  maxSuggestionsPerTrigger: z.number(),
  cooldownMs: z.number(),
  itemCooldownMs: z.number(),
  enabled: z.boolean(),
  lastTriggeredAt: z.string().optional(),
  createdAt: z.string(),
  /** The last characters of the secret that signs its deliveries. */
  secret: z.string().optional(),
  /** Expired deliveries were dropped to make room for newer ones. */
  deliveries: z.object({ pending: z.number(), delivered: z.number(), dead: z.number(), expired: z.number() }),
});

export function shownSubscription(state: StateStore, subscription: Subscription): z.output<typeof subscriptionOutput> {
  const { id, callbackUrl, lastTriggeredAt, createdAt, expired, watchPatterns, ...rest } = subscription;
  const secret = state.subscriptions.secret(id);
  return {
    id,
    ...rest,
    watchPatterns: watchPatterns.map((pattern) => ({ ...pattern })),
    ...(callbackUrl === null ? {} : { callbackUrl }),
    ...(lastTriggeredAt === null ? {} : { lastTriggeredAt: new Date(lastTriggeredAt).toISOString() }),
    createdAt: new Date(createdAt).toISOString(),
    ...(secret === undefined ? {} : { secret: `…${secret.slice(-4)}` }),
    deliveries: { ...state.deliveries.counts(id), expired },
  };
}

/** Resolves an id or a unique prefix of one. */
export function resolveSubscription(state: StateStore, typed: string): Subscription {
  const all = state.subscriptions.all();
  const found = all.filter(({ id }) => id.startsWith(typed) || id.startsWith(`sub_${typed}`));
  const [first] = found;
  if (first && found.length === 1) return first;
  if (first) {
    throw new DexError("ambiguous_id", `"${typed}" could be any of ${found.map(({ id }) => id).join(", ")}.`, {
      hint: "Give more characters of the id.",
    });
  }
  throw unknownName({
    code: "unknown_subscription",
    sentence: `There is no subscription "${typed}".`,
    typed,
    names: all.map(({ id }) => id),
    hint: "`dex subscriptions` lists them.",
    alwaysHint: true,
  });
}

export const otherProjectField = z
  .string()
  .max(4096)
  .optional()
  .describe("Only those of this project: its folder or name (default: all projects)");

/** The key that all worktrees of a repository share. */
export function projectKeyOf(dex: Dex, folder: string | undefined): string {
  return projectKey(repositoryOf(dex, folder).repository);
}
