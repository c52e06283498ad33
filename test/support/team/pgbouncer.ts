/** A PgBouncer of a test's own in front of its server, which gives every transaction another connection. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HANG_MS } from "../program/limits.ts";
import type { TestServer } from "./postgres.ts";
import { TestProxy } from "./proxy.ts";

/** It does not run as root. */
const NOBODY = 65534;

export function hasPgBouncer(): boolean {
  return spawnSync("pgbouncer", ["--version"]).status === 0;
}

export class TestPooler {
  readonly port: number;
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(port: number, folder: string, child: ChildProcess) {
    this.port = port;
    this.#folder = folder;
    this.#child = child;
  }

  /** Knows the logins that the server has now. */
  static async start(server: TestServer): Promise<TestPooler> {
    const folder = mkdtempSync(join(tmpdir(), "dex-pgbouncer-"));
    const users = await server.admin.sql`
      select rolname, rolpassword from pg_authid where rolcanlogin and rolpassword is not null`;
    const quoted = users.map(({ rolname, rolpassword }) => `"${rolname}" "${rolpassword}"\n`).join("");
    const port = await freePort();
    const { hostname, port: target } = new URL(server.url);
    const settings = [
      "[databases]",
      `* = host=${hostname} port=${target}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = scram-sha-256",
      `auth_file = ${join(folder, "users")}`,
      "pool_mode = transaction",
      // A statement that was prepared on one connection soon meets another.
      "default_pool_size = 3",
      "server_round_robin = 1",
      "",
    ];
    writeFileSync(join(folder, "users"), quoted);
    writeFileSync(join(folder, "pgbouncer.ini"), settings.join("\n"));
    const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    if (user.uid !== undefined)
      for (const name of [".", "users", "pgbouncer.ini"]) chownSync(join(folder, name), NOBODY, NOBODY);
    const child = spawn("pgbouncer", ["-q", join(folder, "pgbouncer.ini")], { stdio: "ignore", ...user });
    await accepts(port);
    return new TestPooler(port, folder, child);
  }

  stop(): void {
    this.#child.kill("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const proxy = await TestProxy.to(1);
  const { port } = proxy;
  proxy.close();
  return port;
}

async function accepts(port: number): Promise<void> {
  const isOpen = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.destroy();
        resolve(true);
      });
      socket.on("error", () => resolve(false));
    });
  for (const begin = performance.now(); !(await isOpen()); await sleep(20)) {
    if (performance.now() - begin > HANG_MS) throw new Error("PgBouncer does not accept connections");
  }
}
