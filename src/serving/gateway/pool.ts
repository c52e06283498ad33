/** The gateway's connections to PostgreSQL. One that broke is replaced by the next request that needs it. */
import { DexError } from "../../kernel/errors.ts";
import { PostgresLink } from "../../store/postgres/connection.ts";
import { isUnreachable } from "../../store/postgres/failure.ts";
import { checkGatewaySchema } from "../../store/postgres/schema/range.ts";
import type { Parameter, Row, StatementName } from "../../store/postgres/statements.ts";
import { Slots } from "./slots.ts";

const CALL_MS = 65_000;
const CONNECT_MS = 5000;
/** Requests that wait for a connection, and for how long. */
const MAX_WAITING = 256;
const MAX_WAIT_MS = 10_000;
/** Firewalls drop idle connections silently. */
const MAX_IDLE_MS = 60_000;

interface Pooled {
  link: PostgresLink;
  cut: AbortController;
  used: number;
}

export interface Caller {
  /** The SHA-256 of the device's token. */
  token: Uint8Array;
  isJoining: boolean;
}

export class ConnectionPool {
  readonly #url: string;
  readonly #slots: Slots;
  readonly #idle: Pooled[] = [];

  constructor(url: string, connections: number) {
    this.#url = url;
    this.#slots = new Slots(connections, MAX_WAITING, MAX_WAIT_MS);
  }

  /** `onRow` returns false if the answer becomes too large: then the connection is cut. */
  async call(
    caller: Caller,
    name: StatementName,
    parameters: readonly Parameter[],
    onRow: (row: Row) => boolean,
  ): Promise<void> {
    await this.#slots.use(() =>
      this.#withLink(({ link, cut }) =>
        link.callAs(caller, name, parameters, (row) => {
          if (!cut.signal.aborted && !onRow(row)) cut.abort();
        }),
      ),
    );
  }

  /** Throws unless the login is one that a gateway needs, and has no right beyond that. */
  async check(): Promise<void> {
    const row = await this.#withLink(({ link }) => link.gatewayRights());
    if (!row?.gateway || row.beyond) {
      throw new DexError(
        "team_gateway",
        "This login cannot run a gateway: it lacks the gateway's rights, or has more.",
        {
          hint: "`dex team gateway <url of the administrator>` makes one.",
        },
      );
    }
    checkGatewaySchema(Number(row.schema));
  }

  async isAlive(): Promise<boolean> {
    try {
      await this.#slots.use(() => this.#withLink(({ link }) => link.gatewayRights()));
      return true;
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(({ link }) => link.close()));
  }

  async #withLink<T>(work: (pooled: Pooled) => Promise<T>): Promise<T> {
    const pooled = this.#takeIdle() ?? (await this.#open());
    try {
      const result = await work(pooled);
      pooled.used = Date.now();
      if (pooled.link.isLost) void pooled.link.close();
      else this.#idle.push(pooled);
      return result;
    } catch (error) {
      // A refused call leaves the connection usable.
      if (pooled.link.isLost || isUnreachable(error)) {
        pooled.cut.abort();
        void pooled.link.close();
      } else this.#idle.push(pooled);
      throw error;
    }
  }

  #takeIdle(): Pooled | undefined {
    for (;;) {
      const pooled = this.#idle.pop();
      if (!pooled) return undefined;
      if (!pooled.link.isLost && Date.now() - pooled.used < MAX_IDLE_MS) return pooled;
      void pooled.link.close();
    }
  }

  async #open(): Promise<Pooled> {
    const cut = new AbortController();
    const link = await PostgresLink.open(this.#url, { connectMs: CONNECT_MS, callMs: CALL_MS, signal: cut.signal });
    return { link, cut, used: Date.now() };
  }
}
