/**
 * A connection to the team's PostgreSQL. The driver is loaded by the first connection: a dex without a team never loads
 * it. Every call has a deadline; one that passes it closes the connection, since a stalled server answers no request to
 * cancel either.
 */
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import type { Options, PostgresType, Sql } from "postgres";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import { isLoopback } from "../../kernel/net/loopback.ts";
import { serverFailure, unreachable } from "./failure.ts";
import { type Parameter, type Row, STATEMENTS, type StatementName, type TeamLink } from "./statements.ts";

export interface LinkOptions {
  /** Until a connection stands. */
  connectMs?: number;
  /** Of one call or batch. */
  callMs?: number;
  /**
   * A pooler may give each statement another connection, so none is kept by name, and none is sent before the answer to
   * the one before it: PgBouncer before 1.21 loses such answers.
   */
  pooled?: boolean;
  /** Connections at once; calls beyond them wait. */
  connections?: number;
  /** Nobody waits any more: the connection is cut at once, whatever it is doing. */
  signal?: AbortSignal;
  /** Gets every new socket, to see whether the server sends anything. */
  onSocket?(socket: Socket): void;
}

const CONNECT_MS = 10_000;
const CALL_MS = 60_000;
const DEFAULT_PORT = 5432;
/** A login beyond row-level security would show every team everything. */
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
  isPooled = false;

  private constructor(sql: Sql, { callMs = CALL_MS, pooled = false }: LinkOptions, lost: LostConnection) {
    this.#sql = sql;
    this.#callMs = callMs;
    this.#lost = lost;
    this.#pooled = pooled;
  }

  static async open(url: string, options: LinkOptions = {}): Promise<PostgresLink> {
    const lost = new LostConnection(options.signal);
    return new PostgresLink(await openDriver(url, options, lost), options, lost);
  }

  async call(name: StatementName, ...parameters: Parameter[]): Promise<Row[]> {
    const rows = await this.#within(() =>
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
    const ends = await this.#within(() => {
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
    const [row] = await this.#within(() => this.#sql.unsafe(GATEWAY_RIGHTS));
    return row;
  }

  /** A link that lost a connection stays lost. */
  get isLost(): boolean {
    return this.#lost.isLost;
  }

  /** Any statements; for migrations and tests, never with text from outside. */
  get sql(): Sql {
    return this.#sql;
  }

  async close(): Promise<void> {
    // A connection that broke cannot say goodbye, and need not; waiting for it would keep the process from ending.
    await this.#sql.end({ timeout: this.#lost.isLost ? 0 : 1 }).catch(() => {});
  }

  async #within<T>(work: () => Promise<T>): Promise<T> {
    // The driver would write to a socket that is gone.
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

  /** The driver fails in ways of its own while a connection breaks; its reason is the broken connection. */
  #failure(error: unknown): unknown {
    const failure = serverFailure(error);
    if (failure instanceof DexError || !this.#lost.isLost) return failure;
    return unreachable("The connection to the team's server was lost.", error);
  }
}

/** The driver would connect again and wait; a caller wants to know, and decides whether the call may be repeated. */
class LostConnection {
  isLost = false;
  readonly #waiting = new Set<() => void>();

  /** Rejects when a connection closes. */
  wait(): { promise: Promise<never>; settle(): void } {
    const { promise, reject } = Promise.withResolvers<never>();
    const fail = (): void => reject(unreachable("The connection to the team's server was lost."));
    this.#waiting.add(fail);
    promise.catch(() => {});
    return { promise, settle: () => void this.#waiting.delete(fail) };
  }

  /** `signal`: cuts the connection. */
  constructor(signal: AbortSignal | undefined) {
    signal?.addEventListener("abort", () => {
      this.isLost = true;
      for (const fail of this.#waiting) fail();
      this.#waiting.clear();
    });
  }

  closed(): void {
    this.isLost = true;
    const waiting = [...this.#waiting];
    if (waiting.length === 0) return;
    // An error that says more, such as a refused connection, comes first.
    setTimeout(() => {
      for (const fail of waiting) fail();
    }, 50);
  }
}

async function openDriver(url: string, options: LinkOptions, lost: LostConnection): Promise<Sql> {
  const place = new URL(url);
  const ssl = tlsOf(place);
  const connectMs = options.connectMs ?? CONNECT_MS;
  // While the driver is loaded, the server accepts the connection.
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
    // A call that failed because of the network is repeated by its caller, who knows whether it may be.
    backoff: () => 0,
    // How many may follow the one that runs.
    ...(options.pooled ? { max_pipeline: 0 } : {}),
    types: { bigint: { to: 20, from: [20, 1700], parse: Number, serialize: String } },
  };
  let sockets = 0;
  // An option of the driver that its types leave out.
  const socket = (): Promise<Socket> => {
    sockets += 1;
    if (sockets > (options.connections ?? 1)) lost.isLost = true;
    return sockets === 1 ? early : openSocket(place, connectMs, lost, options);
  };
  return postgres(place.href, { ...settings, socket } as typeof settings) as unknown as Sql;
}

/**
 * A socket of our own, because the driver connects again without end where a server hangs up during the handshake. A link
 * that lost a connection stays lost.
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
      // The driver names the host in the certificate's check by this.
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
  const file = place.searchParams.get("sslrootcert");
  try {
    const host = place.hostname;
    return file ? { host, ca: readFileSync(file) } : { host };
  } catch (error) {
    throw new DexError("team_insecure", `The certificate ${file} cannot be read: ${errorMessage(error)}`, {
      hint: "Name a file with the certificates of the server's issuer.",
    });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the driver accepts what the server describes, and its type cannot say so.
function driverParameters(statement: string, parameters: readonly Parameter[]): any[] {
  return parameters.map((value, i) =>
    value instanceof Uint8Array && statement.includes(`decode($${i + 1}, 'base64')`)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64")
      : value,
  );
}
