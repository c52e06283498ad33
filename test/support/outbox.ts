/** A state.db with subscriptions and deliveries that no event triggered. */
import { openState } from "../../src/store/engine/state.ts";
import type { StateStore } from "../../src/store/state/state.ts";
import type { Subscription } from "../../src/store/state/subscriptions.ts";

export const SECRET = "whsec_of_the_test";

export function subscriptionOf(change: Partial<Subscription> & { id: string }): Subscription {
  return {
    sessionId: "",
    projectId: "/project",
    watchPatterns: [{ type: "file", pattern: "**", priority: 1 }],
    callbackType: "webhook",
    callbackUrl: null,
    minRelevanceScore: 0.5,
    maxSuggestionsPerTrigger: 5,
    cooldownMs: 0,
    itemCooldownMs: 0,
    enabled: true,
    lastTriggeredAt: null,
    createdAt: 0,
    expired: 0,
    ...change,
  };
}

export class Outbox {
  readonly path: string;
  readonly state: StateStore;
  #made = 0;

  constructor(path: string) {
    this.path = path;
    this.state = openState(path);
  }

  subscribe(change: Partial<Subscription> & { id: string }): Subscription {
    const subscription = subscriptionOf(change);
    this.state.subscriptions.add(subscription, subscription.callbackType === "webhook" ? SECRET : null);
    return subscription;
  }

  /** The ids, in order; each body has this many characters more. */
  add(subscription: Subscription, count: number, now: number, padding = 0): string[] {
    return this.state.transaction(() =>
      Array.from({ length: count }, () => {
        this.#made += 1;
        const id = `dlv_${String(this.#made).padStart(12, "0")}`;
        const body = JSON.stringify({
          id,
          event: "context.suggestion",
          subscriptionId: subscription.id,
          text: "x".repeat(padding),
        });
        this.state.deliveries.add(subscription, { id, suggestionId: `sug_${id.slice(4)}`, body }, now);
        return id;
      }),
    );
  }
}
