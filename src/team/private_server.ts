/**
 * A private PostgreSQL server, for `dex team try` and for tests. It listens on this machine only, with a random port
 * and password. PostgreSQL refuses to run as root; started by root it runs as an unprivileged account.
 */
import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, globSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { DexError } from "../kernel/errors.ts";
import { ensureFolder } from "../kernel/files/atomic_write.ts";
import { readRegularFile } from "../kernel/files/bounded_read.ts";
import { pathFolders, withSafePath } from "../kernel/programs.ts";
import { completeEmbedded, embeddedCommand, embeddedPrograms } from "./embedded_postgres.ts";

export interface PrivateServer {
  /** The address, with the password of the database's owner. */
  url: string;
  port: number;
}

/** Where distributions put the programs of the server, which are seldom on the path. */
const PLACES = [
  "/usr/lib/postgresql/*/bin",
  "/usr/pgsql-*/bin",
  "/opt/homebrew/opt/postgresql@*/bin",
  "/usr/local/opt/postgresql@*/bin",
  "/Applications/Postgres.app/Contents/Versions/*/bin",
];
const START_MS = 30_000;
const MAX_SYSTEM_FILE_BYTES = 1 << 20;

/** The variable that names the folder of PostgreSQL's programs. */
const CHOICE = "DEX_POSTGRES";

/**
 * The folder with initdb and postgres: the chosen one, else of the system, else of the package that is installed in `home`.
 * `places`: where distributions put them.
 */
export function findServerPrograms(home: string, vars: NodeJS.ProcessEnv, places: readonly string[] = PLACES): string {
  const chosen = vars[CHOICE];
  const installed = places.flatMap((place) => globSync(place)).sort((a, b) => versionIn(b) - versionIn(a));
  const known = [...installed, ...pathFolders(vars), embeddedPrograms(home) ?? ""];
  const found = (chosen === undefined || chosen === "" ? known : [chosen]).find(
    (folder) => folder !== "" && existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")),
  );
  if (found !== undefined) {
    completeEmbedded(found);
    return found;
  }
  if (chosen) {
    throw new DexError("no_postgres", `${chosen} has no programs \`initdb\` and \`postgres\`.`, {
      hint: `Correct ${CHOICE}, or leave it out.`,
    });
  }
  const embedded = embeddedCommand(home);
  const system = "Debian, Ubuntu: apt install postgresql; macOS: brew install postgresql";
  throw new DexError("no_postgres", "PostgreSQL is not installed on this machine.", {
    hint: `Install it (${system})${embedded === undefined ? "" : `, or one for dex alone: \`${embedded}\``}. Then run it again.`,
  });
}

function versionIn(path: string): number {
  return Number(/(\d+)(?!.*\d)/.exec(path)?.[1] ?? 0);
}

interface Account {
  uid: number;
  gid: number;
}

/** The account that the server runs as; undefined: our own. */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = (readRegularFile("/etc/passwd", MAX_SYSTEM_FILE_BYTES)?.toString("utf8") ?? "").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(":");
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new DexError(
    "no_postgres",
    "PostgreSQL does not run as root, and this machine has no account `postgres` or `nobody`.",
    {
      hint: "Run the command as another user.",
    },
  );
}

/** Makes a database cluster in a new folder. */
export function initServer(programs: string, folder: string, password: string): void {
  const account = serverAccount();
  ensureFolder(folder);
  if (account) chownSync(folder, account.uid, account.gid);
  const secret = join(folder, "password");
  writeFileSync(secret, password, { mode: 0o600 });
  if (account) chownSync(secret, account.uid, account.gid);
  const made = spawnSync(
    join(programs, "initdb"),
    [
      "-D",
      join(folder, "data"),
      "-U",
      "dex_admin",
      "-A",
      "scram-sha-256",
      `--pwfile=${secret}`,
      "-E",
      "UTF8",
      "--locale=C",
      "-N",
    ],
    { encoding: "utf8", cwd: folder, ...account, env: cleanEnvironment() },
  );
  rmSync(secret, { force: true });
  if (made.status !== 0) {
    throw new DexError(
      "no_postgres",
      `initdb failed: ${(made.stderr || made.error?.message || "").trim().slice(-500)}`,
      {
        hint: "Check the installation of PostgreSQL.",
      },
    );
  }
}

/** Starts a cluster that `initServer` made; it survives this process. */
export async function startServer(
  programs: string,
  folder: string,
  password: string,
  port?: number,
  settings: readonly string[] = [],
): Promise<PrivateServer> {
  const chosen = port ?? (await freePort());
  const data = join(folder, "data");
  const child = spawn(
    join(programs, "postgres"),
    [
      ...["-D", data, "-p", String(chosen), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
      ...["-c", "logging_collector=off", "-c", "log_min_messages=warning"],
      ...settings.flatMap((each) => ["-c", each]),
    ],
    { cwd: folder, detached: true, stdio: "ignore", ...serverAccount(), env: cleanEnvironment() },
  );
  child.unref();
  let ended = false;
  child.once("exit", () => {
    ended = true;
  });
  const until = Date.now() + START_MS;
  while (!ended && Date.now() < until) {
    // The last line of the file says `ready` once connections are accepted.
    if (readStatus(data) === "ready") {
      const url = `postgres://dex_admin:${encodeURIComponent(password)}@127.0.0.1:${chosen}/postgres`;
      return { url, port: chosen };
    }
    await new Promise((wake) => setTimeout(wake, 20));
  }
  if (!ended && child.pid) process.kill(child.pid);
  throw new DexError("no_postgres", "The private PostgreSQL did not start.", {
    hint: `\`${join(programs, "postgres")} -D ${data}\` shows the reason.`,
  });
}

function readStatus(data: string): string | undefined {
  return pidFile(data)[7]?.trim();
}

/** The lines of the file that a running server keeps. */
function pidFile(data: string): string[] {
  const bytes = readRegularFile(join(data, "postmaster.pid"), MAX_SYSTEM_FILE_BYTES);
  return (bytes?.toString("utf8") ?? "").split("\n");
}

/** The process of a running cluster, from its own lock file. */
export function runningServer(folder: string): number | undefined {
  const pid = Number(pidFile(join(folder, "data"))[0]);
  if (!(pid > 1)) return undefined;
  try {
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}

/** Ends the server at once, without waiting for its clients. */
export async function stopServer(folder: string): Promise<void> {
  const pid = runningServer(folder);
  if (pid === undefined) return;
  process.kill(pid, "SIGQUIT");
  const until = Date.now() + START_MS;
  while (runningServer(folder) !== undefined && Date.now() < until) await new Promise((wake) => setTimeout(wake, 20));
}

/** Variables for the user's own connections must not reach the server. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("PG"));
  return { ...withSafePath(Object.fromEntries(kept)), LC_ALL: "C" };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
