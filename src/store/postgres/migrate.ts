/** Creates or upgrades the schema: under a lock, and giving up instead of making readers wait behind it. */
import type { Sql } from "postgres";
import { DexError } from "../../kernel/errors.ts";
import { MIGRATIONS } from "./schema/migrations.ts";
import { newerSchema, SCHEMA_VERSION } from "./schema/range.ts";

/** Chosen once; any two upgrades of one database take the same. */
const UPGRADE_LOCK = 7_239_100_018;

/** Returns the version before and after. */
export async function migrate(sql: Sql): Promise<{ from: number; to: number }> {
  await checkServer(sql);
  const from = await schemaVersion(sql);
  if (from > SCHEMA_VERSION) throw newerSchema();
  for (let step = from; step < SCHEMA_VERSION; step += 1) await applyStep(sql, step);
  return { from, to: SCHEMA_VERSION };
}

async function applyStep(sql: Sql, step: number): Promise<void> {
  const migration = MIGRATIONS[step];
  if (!migration) return;
  await sql.begin(async (tx) => {
    await tx.unsafe("set local lock_timeout = '2s'; set local statement_timeout = '10min'");
    await tx`select pg_advisory_xact_lock(${UPGRADE_LOCK})`;
    // Another upgrade may have made the step while this one waited.
    if ((await schemaVersion(tx)) !== step) return;
    if (migration.before) await tx.unsafe(migration.before);
    await tx.unsafe("set local role dex_owner; set local search_path = dex, pg_temp");
    await tx.unsafe(migration.schema);
    await tx`update dex.meta set value = ${String(step + 1)} where key = 'schema'`;
    await tx`update dex.meta set value = ${String(migration.oldestClient)} where key = 'oldest_client'`;
    await tx.unsafe("reset role; reset search_path");
    if (migration.after) await tx.unsafe(migration.after);
  });
}

async function checkServer(sql: Sql): Promise<void> {
  const [row] = await sql`select current_setting('server_version_num')::int as version`;
  const version = Number(row?.version);
  if (version >= 150_000) return;
  throw new DexError("team_server", `A team needs PostgreSQL 15 or newer; this is ${Math.floor(version / 10_000)}.`, {
    hint: "Upgrade the server, or choose another one.",
  });
}

/** 0: the database has no schema of dex. */
export async function schemaVersion(sql: Pick<Sql, "unsafe">): Promise<number> {
  const [found] = await sql.unsafe("select to_regclass('dex.meta') is not null as found");
  if (!found?.found) return 0;
  const [row] = await sql.unsafe("select value from dex.meta where key = 'schema'");
  return Number(row?.value ?? 0);
}
