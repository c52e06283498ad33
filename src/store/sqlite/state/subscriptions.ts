/** Subscriptions, as the user or an agent made them. */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type {
  CallbackType,
  SentItem,
  Subscription,
  SubscriptionStore,
  WatchPattern,
} from "../../state/subscriptions.ts";

/** The outbox is in the same database: sending an item to a subscription and recording it is one transaction. */
export const SUBSCRIPTIONS = `CREATE TABLE context_subscriptions (
     id TEXT PRIMARY KEY,
     session_id TEXT NOT NULL,
     project_id TEXT NOT NULL,
     watch_patterns_json TEXT NOT NULL,
     callback_type TEXT NOT NULL,
     callback_url TEXT,
     min_relevance_score REAL NOT NULL DEFAULT 0.5,
     max_suggestions INTEGER NOT NULL DEFAULT 5,
     cooldown_ms INTEGER NOT NULL DEFAULT 5000,
     item_cooldown_ms INTEGER NOT NULL,
     enabled INTEGER NOT NULL DEFAULT 1,
     last_triggered_at TEXT,
     secret TEXT,
     created_at TEXT NOT NULL,
     expired INTEGER NOT NULL DEFAULT 0
   ) WITHOUT ROWID;
   CREATE INDEX subscriptions_of_project ON context_subscriptions (project_id);
   CREATE TABLE context_told (
     subscription_id TEXT NOT NULL REFERENCES context_subscriptions (id) ON DELETE CASCADE,
     entity_id TEXT NOT NULL,
     item_time INTEGER,
     at INTEGER NOT NULL,
     PRIMARY KEY (subscription_id, entity_id)
   ) WITHOUT ROWID;
   CREATE TABLE context_deliveries (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     subscription_id TEXT NOT NULL REFERENCES context_subscriptions (id) ON DELETE CASCADE,
     project_id TEXT NOT NULL,
     callback_type TEXT NOT NULL,
     suggestion_id TEXT NOT NULL,
     body TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     status TEXT NOT NULL DEFAULT 'pending',
     attempts INTEGER NOT NULL DEFAULT 0,
     set_at INTEGER NOT NULL,
     next_at INTEGER NOT NULL,
     lease_by TEXT,
     lease_at INTEGER,
     lease_until INTEGER,
     error TEXT
   );
   CREATE INDEX deliveries_of_subscription ON context_deliveries (subscription_id, seq);
   CREATE INDEX deliveries_due ON context_deliveries (status, callback_type, next_at)`;

/** Items remembered for one subscription; the oldest are dropped first. */
const MAX_SENT_ITEMS = 5000;

export class SqliteSubscriptions implements SubscriptionStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  add(subscription: Subscription, secret: string | null): void {
    this.#database
      .prepare(
        `INSERT INTO context_subscriptions (id, session_id, project_id, watch_patterns_json, callback_type, callback_url,
           min_relevance_score, max_suggestions, cooldown_ms, item_cooldown_ms, enabled, secret, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        subscription.id,
        subscription.sessionId,
        subscription.projectId,
        JSON.stringify(subscription.watchPatterns),
        subscription.callbackType,
        subscription.callbackUrl,
        subscription.minRelevanceScore,
        subscription.maxSuggestionsPerTrigger,
        subscription.cooldownMs,
        subscription.itemCooldownMs,
        subscription.enabled ? 1 : 0,
        secret,
        new Date(subscription.createdAt).toISOString(),
      );
  }

  /** The oldest first. */
  all(): Subscription[] {
    return this.#database
      .prepare("SELECT * FROM context_subscriptions ORDER BY created_at, id")
      .all()
      .map(subscriptionOf);
  }

  get(id: string): Subscription | undefined {
    const row = this.#database.prepare("SELECT * FROM context_subscriptions WHERE id = ?").get(id);
    return row && subscriptionOf(row);
  }

  /** The key that signs deliveries. It is shown only once, in the answer to the subscriber. */
  secret(id: string): string | undefined {
    const row = this.#database.prepare("SELECT secret FROM context_subscriptions WHERE id = ?").get(id);
    return typeof row?.secret === "string" ? row.secret : undefined;
  }

  enable(id: string, enabled: boolean): void {
    this.#database.prepare("UPDATE context_subscriptions SET enabled = ? WHERE id = ?").run(enabled ? 1 : 0, id);
  }

  triggered(id: string, at: number): void {
    this.#database
      .prepare("UPDATE context_subscriptions SET last_triggered_at = ? WHERE id = ?")
      .run(new Date(at).toISOString(), id);
  }

  /** Sets times in the future, which were written while the clock was ahead, to now. */
  clampFutureTimes(now: number): void {
    const iso = new Date(now).toISOString();
    this.#database
      .prepare("UPDATE context_subscriptions SET last_triggered_at = ?1 WHERE last_triggered_at > ?1")
      .run(iso);
    this.#database.prepare("UPDATE context_told SET at = ?1 WHERE at > ?1").run(now);
  }

  /** With all pending deliveries. */
  remove(id: string): void {
    this.#database.prepare("DELETE FROM context_subscriptions WHERE id = ?").run(id);
  }

  sentItems(id: string): Map<string, { at: number; itemTime: number | null }> {
    const rows = this.#database.prepare("SELECT * FROM context_told WHERE subscription_id = ?").all(id);
    return new Map(
      rows.map((row) => [
        String(row.entity_id),
        { at: Number(row.at), itemTime: row.item_time === null ? null : Number(row.item_time) },
      ]),
    );
  }

  recordSent(id: string, items: readonly SentItem[], at: number): void {
    const put = this.#database.prepare(
      "INSERT OR REPLACE INTO context_told (subscription_id, entity_id, item_time, at) VALUES (?, ?, ?, ?)",
    );
    for (const { entityId, itemTime } of items) put.run(id, entityId, itemTime, at);
    this.#database
      .prepare(
        `DELETE FROM context_told WHERE subscription_id = ?1 AND at < (SELECT at FROM context_told
         WHERE subscription_id = ?1 ORDER BY at DESC LIMIT 1 OFFSET ?2)`,
      )
      .run(id, MAX_SENT_ITEMS);
  }
}

function subscriptionOf(row: Record<string, SQLOutputValue>): Subscription {
  return {
    id: String(row.id),
    sessionId: String(row.session_id),
    projectId: String(row.project_id),
    watchPatterns: JSON.parse(String(row.watch_patterns_json)) as WatchPattern[],
    callbackType: String(row.callback_type) as CallbackType,
    callbackUrl: row.callback_url === null ? null : String(row.callback_url),
    minRelevanceScore: Number(row.min_relevance_score),
    maxSuggestionsPerTrigger: Number(row.max_suggestions),
    cooldownMs: Number(row.cooldown_ms),
    itemCooldownMs: Number(row.item_cooldown_ms),
    enabled: row.enabled === 1,
    lastTriggeredAt: row.last_triggered_at === null ? null : Date.parse(String(row.last_triggered_at)),
    createdAt: Date.parse(String(row.created_at)),
    expired: Number(row.expired),
  };
}
