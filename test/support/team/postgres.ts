/** A PostgreSQL server of a test's own, with the schema of a team. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { PostgresLink } from "../../../src/store/postgres/connection.ts";
import { migrate } from "../../../src/store/postgres/migrate.ts";
import { newLogin, newSecret, scramVerifier } from "../../../src/store/postgres/secrets.ts";
import { findServerPrograms, initServer, startServer, stopServer } from "../../../src/team/private_server.ts";

/** Tests without PostgreSQL are skipped and say so. */
export function postgresPrograms(): string | undefined {
  try {
    return findServerPrograms(tmpdir(), process.env);
  } catch {
    return undefined;
  }
}

export class TestServer {
  readonly url: string;
  readonly folder: string;
  readonly admin: PostgresLink;

  private constructor(url: string, folder: string, admin: PostgresLink) {
    this.url = url;
    this.folder = folder;
    this.admin = admin;
  }

  /** Not flushed to disk unless asked: a test that kills the server needs that. */
  static async start(settings: readonly string[] = ["fsync=off", "max_connections=100"]): Promise<TestServer> {
    const programs = postgresPrograms();
    if (!programs) throw new Error("PostgreSQL is not installed");
    const folder = mkdtempSync(join(tmpdir(), "dex-postgres-"));
    const password = newSecret();
    initServer(programs, folder, password);
    const { url } = await startServer(programs, folder, password, undefined, settings);
    const admin = await PostgresLink.open(url, { connections: 2 });
    await migrate(admin.sql);
    return new TestServer(url, folder, admin);
  }

  /** A team with one admin; returns the admin's own URL. */
  async team(name = "acme", member = "ada"): Promise<string> {
    const login = newLogin();
    const secret = newSecret();
    await this.admin.sql`select dex.create_team(${name}, ${member}, 'ada-laptop', ${login}, ${scramVerifier(secret)})`;
    return this.as(login, secret);
  }

  /** The URL of a further member, who has joined. */
  async member(adminUrl: string, name: string, role = "member", machine = `${name}-laptop`): Promise<string> {
    const login = newLogin();
    const first = newSecret();
    const second = newSecret();
    const admin = await PostgresLink.open(adminUrl);
    await admin.call("invite", name, role, login, scramVerifier(first), null, 7);
    await admin.close();
    const joining = await PostgresLink.open(this.as(login, first));
    await joining.call("activate", machine, scramVerifier(second), null);
    await joining.close();
    return this.as(login, second);
  }

  as(login: string, secret: string): string {
    const url = new URL(this.url);
    url.username = login;
    url.password = secret;
    return url.href;
  }

  async stop(): Promise<void> {
    await this.admin.close();
    await stopServer(this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Skips a test where the server is missing. */
export function needsPostgres(t: TestContext): boolean {
  if (postgresPrograms()) return true;
  t.skip("PostgreSQL is not installed");
  return false;
}
