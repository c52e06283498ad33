/**
 * A connection to the team's PostgreSQL. The driver is loaded by the first connection: a dex without a team never loads
 * it. Every call has a deadline; one that passes it closes the connection, since a stalled server answers no request to
 * cancel either.
 */
import { readFileSync } from "node:fs";
import type { Options, PostgresType, Sql } from "postgres";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import { isLoopback } from "../../kernel/net/loopback.ts";
import { serverFailure, unreachable } from "./failure.ts";
import { type Call, type Parameter, type Row, STATEMENTS, type StatementName, type TeamLink } from "./statements.ts";

export interface LinkOptions {
  /** Until a connection stands. */
  connectMs?: number;
  /** Of one call or batch. */
  callMs?: number;
  /** Connections at once; calls beyond them wait. */
  connections?: number;
}

const CONNECT_MS = 10_000;
const CALL_MS = 60_000;

export class PostgresLink implements TeamLink {
  readonly #sql: Sql;
  readonly #callMs: number;

  private constructor(sql: Sql, callMs: number) {
    this.#sql = sql;
    this.#callMs = callMs;
  }

  static async open(url: string, options: LinkOptions = {}): Promise<PostgresLink> {
    return new PostgresLink(await openDriver(url, options), options.callMs ?? CALL_MS);
  }

  async call(name: StatementName, ...parameters: Parameter[]): Promise<Row[]> {
    const rows = await this.#within(() =>
      this.#sql.unsafe(STATEMENTS[name], driverParameters(parameters), { prepare: true }),
    );
    return [...rows];
  }

  async batch(calls: readonly Call[]): Promise<Row[][]> {
    return this.#within(() =>
      this.#sql.begin((sql) =>
        calls.map(({ name, parameters }) =>
          sql.unsafe(STATEMENTS[name], driverParameters(parameters), { prepare: true }),
        ),
      ),
    ) as Promise<Row[][]>;
  }

  /** Any statements; for migrations and tests, never with text from outside. */
  get sql(): Sql {
    return this.#sql;
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: 1 });
  }

  async #within<T>(work: () => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        void this.#sql.end({ timeout: 0 });
        reject(unreachable("The team's server did not answer in time."));
      }, this.#callMs);
    });
    try {
      return await Promise.race([work(), late]);
    } catch (error) {
      throw serverFailure(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

async function openDriver(url: string, options: LinkOptions): Promise<Sql> {
  const { default: postgres } = await import("postgres");
  const place = new URL(url);
  const ssl = tlsOf(place);
  for (const name of ["sslmode", "sslrootcert", "sslcert", "sslkey", "channel_binding"])
    place.searchParams.delete(name);
  const settings: Options<{ bigint: PostgresType }> = {
    max: options.connections ?? 1,
    connect_timeout: (options.connectMs ?? CONNECT_MS) / 1000,
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    ssl,
    onnotice: () => {},
    connection: { application_name: "dex" },
    // A call that failed because of the network is repeated by its caller, who knows whether it may be.
    backoff: () => 0,
    types: { bigint: { to: 20, from: [20, 1700], parse: Number, serialize: String } },
  };
  return postgres(place.href, settings) as unknown as Sql;
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
    return file ? { ca: readFileSync(file) } : {};
  } catch (error) {
    throw new DexError("team_insecure", `The certificate ${file} cannot be read: ${errorMessage(error)}`, {
      hint: "Name a file with the certificates of the server's issuer.",
    });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the driver accepts what the server describes, and its type cannot say so.
function driverParameters(parameters: readonly Parameter[]): any[] {
  return [...parameters];
}
