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
