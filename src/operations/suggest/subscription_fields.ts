/** A subscription as the verbs about them name and show it. */

import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { projectKey } from "../../history/repository.ts";
import { DexError } from "../../kernel/errors.ts";
import { nearest } from "../../kernel/text.ts";
import { repositoryOf } from "../../project/repository.ts";
import type { StateStore } from "../../store/sqlite/state/state.ts";
import { CALLBACK_TYPES, PATTERN_TYPES, type Subscription } from "../../store/subscriptions.ts";

export const LONGEST_PATTERN = 300;
export const DEFAULT_COOLDOWN = 5000;
export const DEFAULT_ITEM_COOLDOWN = 30 * 60_000;

const patternOutput = z.strictObject({
  type: z.enum(PATTERN_TYPES),
  pattern: z.string().trim().min(1).max(LONGEST_PATTERN),
  priority: z.int().min(1).max(1000).default(1),
});

/** On the command line `type:pattern`. */
export const patternField = z.preprocess((given) => {
  const typed = typeof given === "string" ? /^(\w+):(.*)$/s.exec(given) : undefined;
  return typed ? { type: typed[1], pattern: typed[2] } : given;
}, patternOutput);

export const subscriptionIdField = z.string().min(1).max(100).describe("The subscription's id, or its beginning");

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
  /** The end of what its deliveries are signed with. */
  secret: z.string().optional(),
  /** Deliveries that wait, arrived, were given up, or made room for newer ones. */
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

/** By its id or the beginning of one. */
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
  const meant = nearest(
    typed,
    all.map(({ id }) => id),
  );
  throw new DexError("unknown_subscription", `There is no subscription "${typed}".`, {
    hint: meant ? `Did you mean ${meant}? \`dex subscriptions\` lists them.` : "`dex subscriptions` lists them.",
  });
}

export const projectIdField = z
  .string()
  .max(4096)
  .optional()
  .describe("Folder of the project; the current one when absent");

/** What all worktrees of a repository share. */
export function projectKeyOf(dex: Dex, folder: string | undefined): string {
  return projectKey(repositoryOf(dex, folder).repository);
}
