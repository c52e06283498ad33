/**
 * A connection to the team's PostgreSQL. The driver is loaded by the first connection: a dex without a team never loads
 * it. Every call has a deadline; one that passes it closes the connection, since a stalled server answers no request to
 * cancel either.
 */
import { connect, type Socket } from "node:net";
import type { Options, PostgresType, Sql } from "postgres";
import { DexError } from "../../kernel/errors.ts";
import { isLoopback } from "../../kernel/net/loopback.ts";
import { issuerCertificates } from "./certificates.ts";
import { serverFailure, unreachable } from "./failure.ts";
import { LostConnection } from "./lost_connection.ts";
import { type Parameter, type Row, STATEMENTS, type StatementName, type TeamLink } from "./statements.ts";

export interface LinkOptions {
  /** Time limit for opening a connection. */
  connectMs?: number;
  /** Time limit of one call or batch. */
  callMs?: number;
  /**
   * A pooler may run each statement on another connection, so dex prepares none by name. It also waits for each answer
   * before it sends the next statement: PgBouncer before 1.21 loses pipelined answers.
   */
  pooled?: boolean;
  /** Maximum connections; further calls wait. */
  connections?: number;
  /** Aborted when the caller no longer waits: the connection is closed at once, whatever it is doing. */
  signal?: AbortSignal;
  /** Gets every new socket, to see whether the server sends anything. */
  onSocket?(socket: Socket): void;
}

const CONNECT_MS = 10_000;
const CALL_MS = 60_000;
const DEFAULT_PORT = 5432;
/** A login that bypasses row-level security would show everything to every team. */
const GATEWAY_RIGHTS = `select pg_has_role(session_user, 'dex_gateway', 'member') as gateway,
    r.rolsuper or r.rolbypassrls or pg_has_role(session_user, 'dex_owner', 'member') as beyond,
    (select value::int from dex.meta where key = 'schema') as schema
  from pg_roles r where r.rolname = session_user`;
const ENTER = "select set_config('dex.device', dex.gateway_enter($1, $2)::text, true)";

export class PostgresLink implements TeamLink {
  readonly #sql: Sql;
  readonly #callMs: number;
  readonly #lost: LostConnection;
  readonly #pooled: boolean;
  readonly #sockets: readonly Socket[];
  isPooled = false;

  private constructor(
    { sql, sockets }: Driver,
    { callMs = CALL_MS, pooled = false }: LinkOptions,
    lost: LostConnection,
  ) {
    this.#sql = sql;
    this.#sockets = sockets;
    this.#callMs = callMs;
    this.#lost = lost;
    this.#pooled = pooled;
  }

  static async open(url: string, options: LinkOptions = {}): Promise<PostgresLink> {
    const lost = new LostConnection(options.signal);
    return new PostgresLink(await openDriver(url, options, lost), options, lost);
  }

  async call(name: StatementName, ...parameters: Parameter[]): Promise<Row[]> {
    const rows = await this.#withDeadline(() =>
      this.#sql.unsafe(STATEMENTS[name], driverParameters(STATEMENTS[name], parameters), { prepare: !this.#pooled }),
    );
    if (name === "hello") this.isPooled = Number(rows[0]?.backend) !== rows.state.pid;
    return [...rows];
  }

  /**
   * For the gateway: one statement for the device that has a token. The server forgets the device at the end of the
   * transaction, and checks the token in it, so that a revoked device is refused at once. The link must have one
   * connection, and no other call may run.
   */
  async callAs(
    { token, isJoining }: { token: Uint8Array; isJoining: boolean },
    name: StatementName,
    parameters: readonly Parameter[],
    onRow: (row: Row) => void,
  ): Promise<void> {
    // All four are sent at once, for one round trip. A refused token fails the transaction, and with it the statement;
    // the end of a failed transaction undoes it.
    const ends = await this.#withDeadline(() => {
      const sent = [
        this.#sql.unsafe("begin").execute(),
        this.#sql.unsafe(ENTER, [token, isJoining], { prepare: true }).execute(),
        this.#sql
          .unsafe(STATEMENTS[name], driverParameters(STATEMENTS[name], parameters), { prepare: true })
          .forEach(onRow),
        this.#sql.unsafe("commit").execute(),
      ];
      return Promise.allSettled(sent);
    });
    const failure = ends.find((end) => end.status === "rejected");
    if (failure) throw this.#failure(failure.reason);
  }

  /** For the gateway: which rights its login has, and the version of the schema. */
  async gatewayRights(): Promise<Row | undefined> {
    const [row] = await this.#withDeadline(() => this.#sql.unsafe(GATEWAY_RIGHTS));
    return row;
  }

  /** A link that lost its connection does not reconnect. */
  get isLost(): boolean {
    return this.#lost.isLost;
  }

  /** Runs arbitrary SQL; for migrations and tests, never with text from outside. */
  get sql(): Sql {
    return this.#sql;
  }

  async close(): Promise<void> {
    // A broken connection cannot be closed in an orderly way; waiting for that would keep the process from ending.
    const ended = this.#sql.end({ timeout: this.#lost.isLost ? 0 : 1 }).catch(() => {});
    // Waits until everything is sent, but not until the server has closed its side.
    await Promise.race([ended, Promise.all(this.#sockets.map(whenSent))]);
    for (const socket of this.#sockets) socket.destroy();
    await ended;
  }

  async #withDeadline<T>(work: () => Promise<T>): Promise<T> {
    // Without this check, the driver would write to a closed socket.
    if (this.#lost.isLost) throw unreachable("The connection to the team's server was lost.");
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        void this.#sql.end({ timeout: 0 });
        reject(unreachable("The team's server did not answer in time."));
      }, this.#callMs);
    });
    const closed = this.#lost.wait();
    try {
      return await Promise.race([work(), late, closed.promise]);
    } catch (error) {
      throw this.#failure(error);
    } finally {
      clearTimeout(timer);
      closed.settle();
    }
  }

  /** While a connection breaks, the driver throws errors of its own; the cause is the broken connection. */
  #failure(error: unknown): unknown {
    const failure = serverFailure(error);
    if (failure instanceof DexError || !this.#lost.isLost) return failure;
    return unreachable("The connection to the team's server was lost.", error);
  }
}

interface Driver {
  sql: Sql;
  /** All sockets so far; another one is added when a connection is opened. */
  sockets: readonly Socket[];
}

/** Resolves when everything that was written has been sent, with the end of the stream. */
function whenSent(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.writableFinished || socket.destroyed) resolve();
    else socket.once("finish", resolve).once("close", resolve);
  });
}

async function openDriver(url: string, options: LinkOptions, lost: LostConnection): Promise<Driver> {
  const place = new URL(url);
  const ssl = tlsOf(place);
  const connectMs = options.connectMs ?? CONNECT_MS;
  // Connects while the driver is being loaded.
  const early = openSocket(place, connectMs, lost, options);
  early.catch(() => {});
  const { default: postgres } = await import("postgres");
  for (const name of ["sslmode", "sslrootcert", "sslcert", "sslkey", "channel_binding"])
    place.searchParams.delete(name);
  const settings: Options<{ bigint: PostgresType }> = {
    max: options.connections ?? 1,
    connect_timeout: connectMs / 1000,
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    ssl,
    onnotice: () => {},
    onclose: () => lost.closed(),
    connection: { application_name: "dex" },
    // The driver must not retry: only the caller knows whether a failed call may be repeated.
    backoff: () => 0,
    // How many statements may be sent ahead of an answer.
    ...(options.pooled ? { max_pipeline: 0 } : {}),
    types: { bigint: { to: 20, from: [20, 1700], parse: Number, serialize: String } },
  };
  let asked = 0;
  const sockets: Socket[] = [];
  // An option of the driver that its types leave out.
  const socket = async (): Promise<Socket> => {
    asked += 1;
    if (asked > (options.connections ?? 1)) lost.isLost = true;
    const opened = await (asked === 1 ? early : openSocket(place, connectMs, lost, options));
    sockets.push(opened);
    return opened;
  };
  return { sql: postgres(place.href, { ...settings, socket } as typeof settings) as unknown as Sql, sockets };
}

/**
 * Opens the socket itself, because the driver reconnects forever if a server hangs up during the handshake. A link that
 * lost its connection does not reconnect.
 */
function openSocket(
  place: URL,
  connectMs: number,
  lost: LostConnection,
  { signal, onSocket }: LinkOptions,
): Promise<Socket> {
  const host = place.hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    if (lost.isLost) {
      reject(unreachable("The connection to the team's server was lost."));
      return;
    }
    const socket = connect({ host, port: Number(place.port || DEFAULT_PORT), autoSelectFamily: true });
    onSocket?.(socket);
    const timer = setTimeout(() => socket.destroy(new Error("too late")), connectMs);
    signal?.addEventListener("abort", () => socket.destroy());
    socket.once("error", (error) => reject(serverFailure(error)));
    socket.once("close", () => {
      clearTimeout(timer);
      lost.closed();
      reject(unreachable("The team's server did not answer in time."));
    });
    socket.once("connect", () => {
      clearTimeout(timer);
      // The driver checks the certificate against this name.
      resolve(Object.assign(socket, { host }));
    });
  });
}

/** Certificates are checked everywhere but on this machine. */
function tlsOf(place: URL): Options<Record<string, never>>["ssl"] {
  const mode = place.searchParams.get("sslmode");
  const local = isLoopback(`http://${place.hostname}`) || place.searchParams.has("host");
  if (local && mode === null) return false;
  if (mode === "disable") {
    if (local) return false;
    throw new DexError("team_insecure", "sslmode=disable is allowed only for a server on this machine.", {
      hint: "Leave sslmode out: dex uses TLS and checks the certificate.",
    });
  }
  return { host: place.hostname, ...issuerCertificates(place) };
}

// biome-ignore lint/suspicious/noExplicitAny: the driver accepts what the server describes, and its type cannot say so.
function driverParameters(statement: string, parameters: readonly Parameter[]): any[] {
  return parameters.map((value, i) =>
    value instanceof Uint8Array && statement.includes(`decode($${i + 1}, 'base64')`)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64")
      : value,
  );
}
