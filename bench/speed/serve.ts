/**
 * Measures the cost of `dex serve`: its start, its idle memory, and 64 concurrent clients.
 * docs/internals/performance.md explains the figures.
 *
 *   node scripts/build.ts && node bench/speed/serve.ts [--home DIR] [--seconds 60] [--think 1000]
 *
 * --home: histories to serve, instead of the shared ones. --think: the average pause of a client between its calls, in
 * milliseconds. An agent thinks for seconds; 64 clients without a pause are measured as well, for the throughput.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { asArray, asObject, parseJson } from "../../src/kernel/json.ts";
import { openCorpus } from "../lib/corpus.ts";
import { alternate, median, quantile, timed } from "../lib/measure.ts";
import { dexCommand, type Program, runNode, variables } from "../lib/program.ts";
import { markdownTable, type Row } from "../lib/table.ts";
import { load, type Target } from "./load.ts";

const CLIENTS = 64;
const MAX_RSS_MB = 80;
const MAX_START_MS = 150;
const MAX_RATIO = 20;
const IDLE_SECONDS = 10;

const { values } = parseArgs({
  options: {
    home: { type: "string" },
    seconds: { type: "string", default: "60" },
    think: { type: "string", default: "1000" },
  },
});
const seconds = Number(values.seconds);
const think = Number(values.think);
const temp = mkdtempSync(join(tmpdir(), "dex-serve-"));
process.once("exit", () => rmSync(temp, { recursive: true, force: true }));
const corpus = await openCorpus(values.home, temp, true);
const program: Program = {
  dist: join(import.meta.dirname, "../../dist"),
  cwd: join(temp, "cwd"),
  home: corpus.home,
  dexHome: join(temp, "dex"),
};
mkdirSync(program.cwd);
runNode(program, dexCommand(program, "sync"));
const rows = [await startRow(), ...(await restRows()), ...(await loadRows())];
process.stdout.write(`${markdownTable(rows)}\n\nMeasured on ${corpus.name}.\n`);

function serve(...args: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, dexCommand(program, "serve", ...args), { cwd: program.cwd, env: variables(program) });
}

async function end(server: ChildProcessWithoutNullStreams): Promise<void> {
  server.kill("SIGTERM");
  if (server.exitCode === null) await once(server, "exit");
}

/** Until the server answers the client's initialization. */
async function greeted(): Promise<ChildProcessWithoutNullStreams> {
  const server = serve();
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } };
  server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  await once(server.stdout, "data");
  return server;
}

async function startRow(): Promise<Row> {
  const started: ChildProcessWithoutNullStreams[] = [];
  const pair = await alternate(
    15,
    () => timed(async () => started.push(await greeted())),
    async () => {
      for (const server of started.splice(0)) await end(server);
      return timed(() => runNode(program, ["--eval", "0"]));
    },
  );
  const over = median(pair.a) - median(pair.b);
  return {
    what: "start, until the client is greeted, over bare Node",
    measured: `${over.toFixed(0)} ms (${median(pair.a).toFixed(0)} over ${median(pair.b).toFixed(0)})`,
    aim: `≤ ${MAX_START_MS} ms`,
    met: over <= MAX_START_MS,
  };
}

async function restRows(): Promise<Row[]> {
  const rows: Row[] = [];
  const http = await startHttp();
  for (const [name, server] of [
    ["stdio", await greeted()],
    ["HTTP", http.server],
  ] as const) {
    await sleep(1000);
    const before = cpuTicks(server.pid);
    await sleep(IDLE_SECONDS * 1000);
    const ticks = cpuTicks(server.pid) - before;
    const rss = residentMegabytes(server.pid);
    rows.push({
      what: `at rest, ${name}`,
      measured: `${rss.toFixed(0)} MB, ${(ticks * 10).toFixed(0)} ms of processor time in ${IDLE_SECONDS} s`,
      aim: `≤ ${MAX_RSS_MB} MB, none`,
      met: rss <= MAX_RSS_MB && ticks <= 1,
    });
    await end(server);
  }
  return rows;
}

async function startHttp(): Promise<{ server: ChildProcessWithoutNullStreams; target: Target }> {
  const server = serve("--port", "0");
  const [line] = (await once(createInterface({ input: server.stderr }), "line")) as [string];
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(line)?.[1]);
  const token = readFileSync(join(program.dexHome, "mcp-token"), "utf8").trim();
  return { server, target: { port, token } };
}

async function loadRows(): Promise<Row[]> {
  const { server, target } = await startHttp();
  try {
    const calls = someCalls();
    await load(target, calls, { clients: 1, seconds: 3, think: 0 });
    const single = await load(target, calls, { clients: 1, seconds: 10, think: 0 });
    const many = await load(target, calls, { clients: CLIENTS, seconds, think });
    const restless = await load(target, calls, { clients: CLIENTS, seconds: 10, think: 0 });
    const p50 = median(single.latencies);
    const p99 = quantile(many.latencies, 0.99);
    const errors = many.errors + restless.errors;
    await sleep(10_000);
    return [
      {
        what: `${CLIENTS} HTTP clients for ${seconds} s, a call each every ${think} ms or so: p99 over p50 of a single one`,
        measured: `${(p99 / p50).toFixed(1)} (${p99.toFixed(0)} ms over ${p50.toFixed(1)} ms), ${many.latencies.length} calls`,
        aim: `≤ ${MAX_RATIO}`,
        met: p99 / p50 <= MAX_RATIO,
      },
      {
        what: `${CLIENTS} HTTP clients that never wait`,
        measured: `${(restless.latencies.length / 10).toFixed(0)} calls a second, p50 ${median(restless.latencies).toFixed(0)} ms, p99 ${quantile(restless.latencies, 0.99).toFixed(0)} ms`,
        aim: "",
        met: true,
      },
      { what: "failed calls", measured: String(errors), aim: "0", met: errors === 0 },
      {
        what: "memory ten seconds after",
        measured: `${residentMegabytes(server.pid).toFixed(0)} MB`,
        aim: "",
        met: true,
      },
    ];
  } finally {
    await end(server);
  }
}

/** The most frequent calls of agents: search, look around, read a little. */
function someCalls(): { name: string; input: object }[] {
  const listed = parseJson(runNode(program, dexCommand(program, "list", "--json", "--limit", "20")).stdout);
  const ids = asArray(asObject(listed).conversations)
    .map(asObject)
    .filter(({ message_count }) => Number(message_count) > 1)
    .map(({ id }) => String(id));
  const queries = ["install error", "merge conflict in the worktree", "why does the test fail", "README"];
  return [
    ...queries.map((query) => ({ name: "dex_search", input: { query } })),
    ...ids.flatMap((id) => [
      { name: "dex_timeline", input: { anchor: `${id}#1` } },
      { name: "dex_get", input: { ids: [id], max_tokens: 2000 } },
    ]),
    ...queries.map((query) => ({ name: "dex_search", input: { query, limit: 3 } })),
    { name: "dex_list", input: { limit: 10 } },
  ];
}

/** Hundredths of a second, of all threads; Linux only, like the figure it is compared with. */
function cpuTicks(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

function residentMegabytes(pid: number | undefined): number {
  const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return (Number(found?.[1]) * 1024) / 1e6;
}
