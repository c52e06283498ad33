/** `dex team serve` at the terminal: its checks, its output, and the signals that end it. */
import { resolve } from "node:path";
import { DexError } from "../../kernel/errors.ts";
import { readRegularFile } from "../../kernel/files/bounded_read.ts";
import { Gateway, type Served } from "../../serving/gateway/gateway.ts";
import { listen } from "../../serving/gateway/listen.ts";
import { ConnectionPool } from "../../serving/gateway/pool.ts";
import { endSignal, exitSoon, surviveStrayErrors } from "../../serving/lifetime.ts";
import { reportError } from "../../serving/report.ts";

const MAX_URL_BYTES = 4096;
/** Running calls may end before the process does. */
const GRACE_MS = 5000;

interface ServeInput {
  url?: string | undefined;
  url_file?: string | undefined;
  listen: string;
  cert?: string | undefined;
  key?: string | undefined;
  connections: number;
  log: boolean;
}

export async function serveTeam(input: ServeInput): Promise<number> {
  const ended = endSignal();
  surviveStrayErrors();
  const pool = new ConnectionPool(databaseUrl(input), input.connections);
  try {
    await pool.check();
    const gateway = new Gateway(pool, { served: input.log ? logCall : () => {}, failed: reportError });
    const server = await listen(input, (request, response) => void gateway.serve(request, response));
    process.stderr.write(`dex: the gateway listens on ${server.origin}\n`);
    await ended;
    await server.close(GRACE_MS);
  } finally {
    await pool.close();
  }
  exitSoon();
  return 0;
}

function databaseUrl({ url, url_file: file }: ServeInput): string {
  const text = url ?? (file && readRegularFile(resolve(file), MAX_URL_BYTES)?.toString("utf8").trim());
  if (text && !/\s/.test(text) && URL.canParse(text) && /^postgres(?:ql)?:$/.test(new URL(text).protocol)) return text;
  throw new DexError("bad_team_url", "The address of the gateway's login is missing, or is not a PostgreSQL address.", {
    hint: "Give --url, or --url-file with a file that has the address alone; `dex team gateway` prints it.",
  });
}

function logCall({ name, status, ms, bytesIn, bytesOut, code }: Served): void {
  const at = new Date().toISOString();
  const why = code === undefined ? "" : ` ${code}`;
  process.stderr.write(`${at} ${status} ${name || "-"}${why} ${Math.round(ms)} ms ${bytesIn} ${bytesOut}\n`);
}
