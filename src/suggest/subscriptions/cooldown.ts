/**
 * Cooldowns of subscriptions and items. If the system clock was set back, a stored time may be in the future; it is
 * treated as now, which restarts the cooldown.
 */
import type { Subscription } from "../../store/state/subscriptions.ts";
import type { SuggestionItem } from "../model.ts";

/** Milliseconds until the subscription may be triggered again; 0: now. */
export function cooldownLeft(
  { lastTriggeredAt, cooldownMs }: Pick<Subscription, "lastTriggeredAt" | "cooldownMs">,
  now: number,
): number {
  if (lastTriggeredAt === null) return 0;
  return Math.max(0, cooldownMs - (now - Math.min(lastTriggeredAt, now)));
}

/** The last delivery of each item to a subscription, by entityId. */
export type DeliveredItems = ReadonlyMap<string, { at: number; itemTime: number | null }>;

/** Whether an item was delivered within its cooldown and has not changed since. */
export function wasDelivered(
  item: Pick<SuggestionItem, "entityId" | "time">,
  delivered: DeliveredItems,
  itemCooldownMs: number,
  now: number,
): boolean {
  const last = delivered.get(item.entityId);
  if (!last) return false;
  if (item.time !== null && last.itemTime !== null && item.time > last.itemTime) return false;
  return now - Math.min(last.at, now) < itemCooldownMs;
}
