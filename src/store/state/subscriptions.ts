/** The port of the store of subscriptions: their patterns, and their pending deliveries. */

export const PATTERN_TYPES = ["file", "symbol", "topic", "entity"] as const;

export interface WatchPattern {
  type: (typeof PATTERN_TYPES)[number];
  /** A glob, a name or `/regex/`, words, or an entityId. */
  pattern: string;
  /** 1 is the highest: if several things changed, a suggestion is about the match of this pattern. */
  priority: number;
}

export const CALLBACK_TYPES = ["poll", "webhook", "sse"] as const;
export type CallbackType = (typeof CALLBACK_TYPES)[number];

export interface Subscription {
  id: string;
  sessionId: string;
  projectId: string;
  watchPatterns: readonly WatchPattern[];
  callbackType: CallbackType;
  callbackUrl: string | null;
  minRelevanceScore: number;
  maxSuggestionsPerTrigger: number;
  /** After a suggestion, changes are collected for this long. */
  cooldownMs: number;
  /** An item is not sent again for this long, unless it has changed. */
  itemCooldownMs: number;
  enabled: boolean;
  lastTriggeredAt: number | null;
  createdAt: number;
  /** Deliveries dropped in favour of newer ones before any reader took them. */
  expired: number;
}

export const DELIVERY_STATUSES = ["pending", "delivered", "dead"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface NewDelivery {
  /** The same for every attempt: it lets a receiver deduplicate. */
  id: string;
  suggestionId: string;
  /** JSON, as it is sent. */
  body: string;
}

export interface Delivery extends NewDelivery {
  /** Rises from one delivery to the next; a reader's cursor. */
  seq: number;
  subscriptionId: string;
  createdAt: number;
  status: DeliveryStatus;
  attempts: number;
  /** Why the last attempt failed. */
  error: string | null;
}

/** An item that was sent to a subscription. */
export interface SentItem {
  entityId: string;
  /** When the item itself was created or last changed. */
  itemTime: number | null;
}

export interface DeliveryFilter {
  subscriptionId?: string;
  projectId?: string;
  callbackType?: CallbackType;
}

export interface SubscriptionStore {
  add(subscription: Subscription, secret: string | null): void;
  /** The oldest first. */
  all(): Subscription[];
  get(id: string): Subscription | undefined;
  /** The key that signs its deliveries. It is shown once, in the answer to the subscriber. */
  secret(id: string): string | undefined;
  enable(id: string, enabled: boolean): void;
  triggered(id: string, at: number): void;
  /** Sets times in the future, which were written while the clock was ahead, to now. */
  clampFutureTimes(now: number): void;
  /** Removes it with all its pending deliveries. */
  remove(id: string): void;
  /** The items sent to it, by entity. */
  sentItems(id: string): Map<string, { at: number; itemTime: number | null }>;
  recordSent(id: string, items: readonly SentItem[], at: number): void;
}

export interface DeliveryStore {
  add(subscription: Subscription, delivery: NewDelivery, now: number): void;
  /** In the order of creation; without a cursor, those that no reader has had. */
  after(cursor: number | undefined, filter: DeliveryFilter, limit: number): Delivery[];
  /** The highest cursor so far; it never falls. */
  last(): number;
  /** Marks deliveries as fetched by a reader. */
  markFetched(ids: readonly string[]): void;
  /** The oldest webhook of each enabled subscription that may be sent now. */
  due(now: number): Delivery[];
  /** When the next webhook is due, or the lease on one ends; undefined if none is pending. */
  nextDue(now: number): number | undefined;
  /** Which process is sending which delivery. */
  leases(): { id: string; by: string }[];
  /** False if another process has it. */
  lease(id: string, by: string, now: number, ms: number): boolean;
  /** Ends the lease of a process that is gone, or that has not begun to send. */
  release(id: string, by: string): void;
  arrived(id: string): void;
  /** `nextAt` undefined: it is not tried again. */
  failed(id: string, error: string, now: number, nextAt: number | undefined): void;
  /** Deliveries that are not tried again, the latest first. */
  dead(): Delivery[];
  revive(id: string, now: number): boolean;
  /** How many deliveries of a subscription have each status. */
  counts(subscription: string): Record<DeliveryStatus, number>;
}
