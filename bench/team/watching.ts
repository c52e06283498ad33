/** The bytes between an idle `dex watch` of a member and the team's server. */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { dexCommand, type Program, variables } from "../lib/program.ts";
import { megabytes, type Row } from "../lib/table.ts";

const MAX_BYTES_PER_HOUR = 1e6;
/** The first look at everything is not idle. */
const MAX_SETTLE_MS = 120_000;

export async function idleWatcher(program: Program, idleMs: number): Promise<Row[]> {
  const file = join(program.dexHome, "team/access.json");
  const access = readFileSync(file, "utf8");
  const url = new URL((JSON.parse(access) as { url: string }).url);
  const counter = await countBytes(Number(url.port));
  url.port = String(counter.port);
  writeFileSync(file, JSON.stringify({ url: url.href }), { mode: 0o600 });
  const child = spawn(process.execPath, dexCommand(program, "watch", "--json"), {
    cwd: program.cwd,
    env: variables(program),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  try {
    for (let waited = 0; !/up to date/.test(errors); waited += 100) {
      if (waited > MAX_SETTLE_MS || child.exitCode !== null) throw new Error(`dex watch did not begin: ${errors}`);
      await sleep(100);
    }
    const before = counter.bytes();
    await sleep(idleMs);
    const bytes = counter.bytes() - before;
    const hourly = (bytes * 3_600_000) / idleMs;
    return [
      {
        what: "an idle `dex watch` of a member: bytes to and from the server in an hour",
        measured: `${megabytes(hourly)} (${bytes} bytes in ${idleMs / 1000} s; ${before} bytes at its start)`,
        aim: `< ${megabytes(MAX_BYTES_PER_HOUR)}`,
        met: hourly < MAX_BYTES_PER_HOUR,
      },
    ];
  } finally {
    child.kill("SIGTERM");
    counter.close();
    writeFileSync(file, access, { mode: 0o600 });
  }
}

async function countBytes(target: number): Promise<{ port: number; bytes: () => number; close: () => void }> {
  let bytes = 0;
  const listener = createServer((client) => {
    const server = connect(target, "127.0.0.1");
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on("data", (chunk) => {
        bytes += chunk.length;
        to.write(chunk);
      });
      from.on("error", () => {});
      from.on("close", () => to.destroy());
    }
  });
  await new Promise<void>((ready) => listener.listen(0, "127.0.0.1", ready));
  const address = listener.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { port, bytes: () => bytes, close: () => listener.close() };
}
