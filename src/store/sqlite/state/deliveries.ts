/**
 * Pending deliveries of subscriptions. A delivery is pending until its receiver has it. One process at a time holds it
 * while sending: the lease names that process, and expires.
 *
 * Times are of the wall clock, which may be set back: next to each time in the future is the time at which it was set,
 * and dex ignores one that was set in the future.
 */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type {
  Delivery,
  DeliveryFilter,
  DeliveryStatus,
  DeliveryStore,
  NewDelivery,
  Subscription,
} from "../../state/subscriptions.ts";

/** Deliveries stored for one subscription, of any status. Pending ones beyond this number expire, and are counted. */
export const MAX_DELIVERIES = 1000;
const MAX_AGE_MS = 30 * 24 * 3_600_000;

const NOT_LEASED = "(lease_until IS NULL OR lease_until <= ?1)";

export class SqliteDeliveries implements DeliveryStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  add(subscription: Subscription, delivery: NewDelivery, now: number): void {
    const { id, projectId, callbackType } = subscription;
    this.#database
      .prepare(
        `INSERT INTO context_deliveries (id, subscription_id, project_id, callback_type, suggestion_id, body, created_at,
           set_at, next_at) VALUES (?, ?, ?, ?, ?, ?, ?7, ?7, ?7)`,
      )
      .run(delivery.id, id, projectId, callbackType, delivery.suggestionId, delivery.body, now);
    this.#expire(id, now);
  }

  #expire(subscription: string, now: number): void {
    const old = `subscription_id = ?1 AND (created_at < ?3 OR seq <= (SELECT seq FROM context_deliveries
      WHERE subscription_id = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2))`;
    const bounds = [subscription, MAX_DELIVERIES, now - MAX_AGE_MS] as const;
    const waiting = `SELECT COUNT(*) FROM context_deliveries WHERE ${old} AND status <> 'delivered'`;
    this.#database
      .prepare(`UPDATE context_subscriptions SET expired = expired + (${waiting}) WHERE id = ?1`)
      .run(...bounds);
    this.#database.prepare(`DELETE FROM context_deliveries WHERE ${old}`).run(...bounds);
  }

  /** In the order of creation; without a cursor, those that no reader has had. */
  after(cursor: number | undefined, filter: DeliveryFilter, limit: number): Delivery[] {
    return this.#database
      .prepare(
        `SELECT * FROM context_deliveries WHERE ${cursor === undefined ? "?1 = 0 AND status = 'pending'" : "seq > ?1"}
         AND (?2 IS NULL OR subscription_id = ?2) AND (?3 IS NULL OR project_id = ?3)
         AND (?4 IS NULL OR callback_type = ?4) ORDER BY seq LIMIT ?5`,
      )
      .all(cursor ?? 0, filter.subscriptionId ?? null, filter.projectId ?? null, filter.callbackType ?? null, limit)
      .map(deliveryOf);
  }

  /** The highest cursor so far; it never falls. */
  last(): number {
    const row = this.#database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'context_deliveries'").get();
    return Number(row?.seq ?? 0);
  }

  /** Marks deliveries as fetched by a reader. */
  markFetched(ids: readonly string[]): void {
    const mark = this.#database.prepare(
      "UPDATE context_deliveries SET status = 'delivered' WHERE id = ? AND status = 'pending'",
    );
    for (const id of ids) {
      mark.run(id);
      this.#shown(id);
    }
  }

  #shown(id: string): void {
    this.#database
      .prepare(
        `UPDATE context_suggestions SET status = 'shown' WHERE status = 'pending'
           AND id = (SELECT suggestion_id FROM context_deliveries WHERE id = ?)`,
      )
      .run(id);
  }

  /** The oldest webhook of each enabled subscription that may be sent now. */
  due(now: number): Delivery[] {
    this.#database
      .prepare(
        "UPDATE context_deliveries SET lease_until = lease_until - lease_at + ?1, lease_at = ?1 WHERE lease_at > ?1",
      )
      .run(now);
    return this.#database
      .prepare(
        `SELECT * FROM context_deliveries WHERE seq IN (
           SELECT MIN(d.seq) FROM context_deliveries d JOIN context_subscriptions s ON s.id = d.subscription_id
           WHERE d.status = 'pending' AND d.callback_type = 'webhook' AND s.enabled = 1
             AND (d.next_at <= ?1 OR d.set_at > ?1) AND ${NOT_LEASED}
           GROUP BY d.subscription_id) ORDER BY next_at, seq`,
      )
      .all(now)
      .map(deliveryOf);
  }

  /** When the next webhook is due, or the lease on one ends; undefined if none is pending. */
  nextDue(now: number): number | undefined {
    const row = this.#database
      .prepare(
        `SELECT MIN(CASE WHEN d.set_at > ?1 OR d.lease_at > ?1 THEN 0
           ELSE MAX(d.next_at, COALESCE(d.lease_until, 0)) END) AS at FROM context_deliveries d
         JOIN context_subscriptions s ON s.id = d.subscription_id
         WHERE d.status = 'pending' AND d.callback_type = 'webhook' AND s.enabled = 1`,
      )
      .get(now);
    return typeof row?.at === "number" ? row.at : undefined;
  }

  /** Which process is sending a delivery. */
  leases(): { id: string; by: string }[] {
    return this.#database
      .prepare("SELECT id, lease_by FROM context_deliveries WHERE status = 'pending' AND lease_by IS NOT NULL")
      .all()
      .map((row) => ({ id: String(row.id), by: String(row.lease_by) }));
  }

  /** False if another process has it. */
  lease(id: string, by: string, now: number, ms: number): boolean {
    const { changes } = this.#database
      .prepare(
        `UPDATE context_deliveries SET lease_by = ?3, lease_at = ?1, lease_until = ?1 + ?4
         WHERE id = ?2 AND status = 'pending' AND ${NOT_LEASED}`,
      )
      .run(now, id, by, ms);
    return Number(changes) === 1;
  }

  /** Ends the lease of a process that is gone, or that has not begun to send. */
  release(id: string, by: string): void {
    this.#database
      .prepare(
        `UPDATE context_deliveries SET lease_by = NULL, lease_at = NULL, lease_until = NULL
         WHERE id = ? AND lease_by = ?`,
      )
      .run(id, by);
  }

  arrived(id: string): void {
    this.#database
      .prepare(
        `UPDATE context_deliveries SET status = 'delivered', attempts = attempts + 1, error = NULL, lease_by = NULL,
           lease_at = NULL, lease_until = NULL WHERE id = ?`,
      )
      .run(id);
    this.#shown(id);
  }

  /** `nextAt` undefined: it is not tried again. */
  failed(id: string, error: string, now: number, nextAt: number | undefined): void {
    this.#database
      .prepare(
        `UPDATE context_deliveries SET status = ?, attempts = attempts + 1, error = ?, set_at = ?, next_at = ?,
           lease_by = NULL, lease_at = NULL, lease_until = NULL WHERE id = ? AND status = 'pending'`,
      )
      .run(nextAt === undefined ? "dead" : "pending", error, now, nextAt ?? now, id);
  }

  /** The latest first. */
  dead(): Delivery[] {
    return this.#database
      .prepare("SELECT * FROM context_deliveries WHERE status = 'dead' ORDER BY seq DESC")
      .all()
      .map(deliveryOf);
  }

  revive(id: string, now: number): boolean {
    const { changes } = this.#database
      .prepare(
        `UPDATE context_deliveries SET status = 'pending', attempts = 0, set_at = ?1, next_at = ?1
         WHERE id = ?2 AND status = 'dead'`,
      )
      .run(now, id);
    return Number(changes) === 1;
  }

  /** The number of deliveries of a subscription by status. */
  counts(subscription: string): Record<DeliveryStatus, number> {
    const rows = this.#database
      .prepare("SELECT status, COUNT(*) AS n FROM context_deliveries WHERE subscription_id = ? GROUP BY status")
      .all(subscription);
    const count = (status: DeliveryStatus): number => Number(rows.find((row) => row.status === status)?.n ?? 0);
    return { pending: count("pending"), delivered: count("delivered"), dead: count("dead") };
  }
}

function deliveryOf(row: Record<string, SQLOutputValue>): Delivery {
  return {
    seq: Number(row.seq),
    id: String(row.id),
    subscriptionId: String(row.subscription_id),
    suggestionId: String(row.suggestion_id),
    body: String(row.body),
    createdAt: Number(row.created_at),
    status: String(row.status) as DeliveryStatus,
    attempts: Number(row.attempts),
    error: row.error === null ? null : String(row.error),
  };
}
