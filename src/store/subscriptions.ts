/** What the rest of dex may ask of the store of subscriptions: who wants to be told of what, and what waits for them. */

export const PATTERN_TYPES = ["file", "symbol", "topic", "entity"] as const;

export interface WatchPattern {
  type: (typeof PATTERN_TYPES)[number];
  /** A glob, a name or `/regex/`, words, or an entityId. */
  pattern: string;
  /** 1 comes first: what matched it is what a suggestion is about, where several things changed. */
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
  /** After a suggestion, what changes is gathered for so long. */
  cooldownMs: number;
  /** An item is not told again for so long, unless it has changed. */
  itemCooldownMs: number;
  enabled: boolean;
  lastTriggeredAt: number | null;
  createdAt: number;
  /** Deliveries that made room for newer ones before anybody took them. */
  expired: number;
}

export const DELIVERY_STATUSES = ["pending", "delivered", "dead"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface NewDelivery {
  /** The same for every attempt: by it a receiver knows what it has had. */
  id: string;
  suggestionId: string;
  /** JSON, as it is sent. */
  body: string;
}

export interface Delivery extends NewDelivery {
  /** Rises from one delivery to the next; what a reader has read up to. */
  seq: number;
  subscriptionId: string;
  projectId: string;
  callbackType: CallbackType;
  createdAt: number;
  status: DeliveryStatus;
  attempts: number;
  /** When it is tried next. */
  nextAt: number;
  /** Why the last attempt failed. */
  error: string | null;
}

/** An item that a subscription was told of. */
export interface ToldItem {
  entityId: string;
  /** When the item itself came about or changed last. */
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
  /** Times in the future were written while the clock was ahead: they are set to now. */
  believeClock(now: number): void;
  /** Removes it with all that waits for it. */
  remove(id: string): void;
  /** The items it was told of, by entity. */
  told(id: string): Map<string, { at: number; itemTime: number | null }>;
  tell(id: string, items: readonly ToldItem[], at: number): void;
}

export interface DeliveryStore {
  add(subscription: Subscription, delivery: NewDelivery, now: number): void;
  /** In the order they were made; without a cursor, those that no reader has had. */
  after(cursor: number | undefined, filter: DeliveryFilter, limit: number): Delivery[];
  /** The highest number given so far; it never falls. */
  last(): number;
  get(id: string): Delivery | undefined;
  /** A reader has them. */
  handed(ids: readonly string[]): void;
  /** Of each enabled subscription, the oldest webhook that may be sent now. */
  due(now: number): Delivery[];
  /** When the next webhook is to be sent, or the lease on one ends; undefined where none waits. */
  nextDue(now: number): number | undefined;
  /** Which process is sending which delivery. */
  leases(): { id: string; by: string }[];
  /** False when another process has it. */
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
