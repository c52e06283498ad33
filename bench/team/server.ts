/** A PostgreSQL server with a team for measurements: one member has pushed a corpus, and others read it. */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TestServer } from "../../test/support/team/postgres.ts";
import { dexCommand, type Program, variables } from "../lib/program.ts";

const MAX_INDEXING_MS = 600_000;
const TEAM = "bench";
export const SCOPE = "example.org/bench/all";
/** Tables whose rows belong to a bucket, in the order in which they are copied. */
const COPIED = [
  "conversation",
  "frame",
  "part",
  "segment",
  "term_block",
  "vector_block",
  "vector_rows",
  "document_block",
];

export class BenchTeam {
  readonly server: TestServer;
  readonly #temp: string;
  readonly #admin: Program;

  private constructor(server: TestServer, temp: string, admin: Program) {
    this.server = server;
    this.#temp = temp;
    this.#admin = admin;
  }

  /** With the settings of a real server: every commit waits for the disk. */
  static async start(temp: string, admin: Program): Promise<BenchTeam> {
    const server = await TestServer.start(["max_connections=200", "shared_buffers=512MB", "max_wal_size=4GB"]);
    run(admin, "team", "create", server.url, "--name", TEAM, "--as", "ada");
    return new BenchTeam(server, temp, admin);
  }

  /** A member with a home of their own; without `home` it has no history. */
  join(name: string, home = join(this.#temp, name), role = "member"): Program {
    mkdirSync(home, { recursive: true });
    const program = { ...this.#admin, home, dexHome: join(this.#temp, `dex-${name}`) };
    const { invitation } = run(this.#admin, "team", "invite", name, "--role", role);
    run(program, "team", "join", String(invitation), "--machine", `${name}-machine`);
    return program;
  }

  /** Waits until the index has everything that was pushed. */
  async indexed(): Promise<void> {
    const { sql } = this.server.admin;
    for (const begin = performance.now(); ; await sleep(100)) {
      const [row] = await sql`select exists (select from dex.conversation
          where complete > 0 and (indexed_generation <> generation or indexed < complete))
        or exists (select from dex.gone) or exists (select from dex.part where lease > now()) as lags`;
      if (row?.lags !== true) return;
      if (performance.now() - begin > MAX_INDEXING_MS) throw new Error("the index does not get up to date");
    }
  }

  /** Messages of all conversations of the team. */
  async messages(): Promise<number> {
    const [row] = await this.server.admin.sql`select coalesce(sum(messages), 0)::bigint as n from dex.conversation`;
    return Number(row?.n);
  }

  /** Segments of the whole index. */
  async segments(): Promise<number> {
    const [row] = await this.server.admin.sql`select count(*) as n from dex.segment`;
    return Number(row?.n);
  }

  /**
   * Repeats the first bucket in further buckets of the same project until the team has this many messages. Scoring reads
   * every copy, as it would read as many other conversations.
   */
  async growTo(messages: number): Promise<void> {
    const { sql } = this.server.admin;
    const [first] = await sql`select bucket from dex.bucket order by bucket limit 1`;
    const [{ n: own = 0 } = {}] = await sql`
      select sum(messages)::int as n from dex.conversation where bucket = ${first?.bucket}`;
    const others = (await this.messages()) - own;
    for (let copies = 1; others + (copies + 1) * own <= messages + own / 2; copies += 1) {
      const [row] = await sql`insert into dex.bucket (scope, version, index_version, next_conv, messages)
        select scope, version, index_version, next_conv, messages from dex.bucket where bucket = ${first?.bucket}
        returning bucket`;
      for (const table of COPIED) {
        const columns = await sql`select column_name as name from information_schema.columns
          where table_schema = 'dex' and table_name = ${table} and column_name <> 'bucket' order by ordinal_position`;
        const names = columns.map(({ name }) => `"${String(name)}"`).join(", ");
        await sql.unsafe(
          `insert into dex."${table}" (bucket, ${names}) select ${Number(row?.bucket)}, ${names} from dex."${table}" where bucket = ${Number(first?.bucket)}`,
        );
      }
    }
    await sql.unsafe("analyze");
  }

  /** Bytes of the database. */
  async size(): Promise<number> {
    const [row] = await this.server.admin.sql`select pg_database_size(current_database()) as n`;
    return Number(row?.n);
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }
}

/** Runs a command of a member, and returns its JSON. */
export function run(program: Program, ...words: string[]): Record<string, unknown> {
  const { status, stdout, stderr } = spawnSync(process.execPath, dexCommand(program, ...words, "--json"), {
    cwd: program.cwd,
    env: variables(program),
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  if (status !== 0) throw new Error(`dex ${words.join(" ")} failed: ${stderr}${stdout}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** The same, while others run. */
export function running(program: Program, ...words: string[]): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, dexCommand(program, ...words, "--json"), {
    cwd: program.cwd,
    env: variables(program),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  return new Promise((resolve) => child.on("close", (status) => resolve({ status, output })));
}
