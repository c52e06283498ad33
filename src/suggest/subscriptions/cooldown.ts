/**
 * Not too often. A clock may be set back: a time in the future is a time that passed when the clock was ahead, and is
 * taken for now, so that nothing stops for longer than one cooldown, and nothing comes sooner than after one.
 */
import type { Subscription } from "../../store/subscriptions.ts";
import type { SuggestionItem } from "../model.ts";

/** Milliseconds until the subscription may be told again; 0: now. */
export function restOf(
  { lastTriggeredAt, cooldownMs }: Pick<Subscription, "lastTriggeredAt" | "cooldownMs">,
  now: number,
): number {
  if (lastTriggeredAt === null) return 0;
  return Math.max(0, cooldownMs - (now - Math.min(lastTriggeredAt, now)));
}

/** What the subscription has been told of each thing. */
export type Told = ReadonlyMap<string, { at: number; itemTime: number | null }>;

/** Whether an item was told not long ago, and has not changed since. */
export function wasTold(
  item: Pick<SuggestionItem, "entityId" | "time">,
  told: Told,
  itemCooldownMs: number,
  now: number,
): boolean {
  const last = told.get(item.entityId);
  if (!last) return false;
  if (item.time !== null && last.itemTime !== null && item.time > last.itemTime) return false;
  return now - Math.min(last.at, now) < itemCooldownMs;
}
