/** Figures of `dex serve`: its start as an agent sees it, its memory at rest, and many clients at once. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { asArray, asObject, parseJson } from "../../../src/kernel/json.ts";
import { alternate, median, type Pair, quantile } from "../../lib/measure.ts";
import { dexCommand, type Program, runNode, variables } from "../../lib/program.ts";
import { differenceRow, type Row } from "../../lib/table.ts";
import { type Call, load, type Measured, type Target } from "./load.ts";

const CLIENTS = 64;
const MAX_RSS_MB = 80;
const GREETING_AIM_MS = 120;
const LIST_AIM_MS = 180;
const MAX_RATIO = 20;
const MAX_RESTLESS_RATIO = 10;
const IDLE_SECONDS = 10;
const KEEPING_MS = 2000;
const RESTLESS_SECONDS = 10;

function serve(program: Program, ...args: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, dexCommand(program, "serve", ...args), { cwd: program.cwd, env: variables(program) });
}

async function end(server: ChildProcessWithoutNullStreams): Promise<void> {
  server.kill("SIGTERM");
  if (server.exitCode === null) await once(server, "exit");
}

interface Session {
  server: ChildProcessWithoutNullStreams;
  /** Milliseconds from the start of the process to each answer. */
  greeted: number;
  listed: number;
  called: number;
}

/** As an agent begins: the greeting, the list of tools, and a first call, each after the answer to the one before. */
async function beginSession(program: Program, withCall: boolean): Promise<Session> {
  const started = performance.now();
  const server = serve(program);
  const lines = createInterface({ input: server.stdout });
  const ask = async (id: number, method: string, params: object): Promise<number> => {
    const answered = once(lines, "line");
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    await answered;
    return performance.now() - started;
  };
  const clientInfo = { name: "bench", version: "1" };
  const greeted = await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  const listed = await ask(2, "tools/list", {});
  const called = withCall ? await ask(3, "tools/call", { name: "dex_stats", arguments: {} }) : listed;
  return { server, greeted, listed, called };
}

export async function serverStart(program: Program, rounds: number): Promise<Row[]> {
  const sessions: Session[] = [];
  const begin = async (pause = 0): Promise<number> => {
    const session = await beginSession(program, true);
    await sleep(pause);
    await end(session.server);
    sessions.push(session);
    return session.greeted;
  };
  // As after the first use: its compiled code is kept soon after the answer.
  await begin(KEEPING_MS);
  sessions.length = 0;
  const { b } = await alternate(
    rounds,
    () => begin(),
    () => runNode(program, ["--eval", "0"]).ms,
  );
  const pair = (pick: (session: Session) => number): Pair => ({ a: sessions.map(pick), b });
  return [
    differenceRow(
      "`dex serve` (stdio), until a client is greeted, over starting Node",
      pair(({ greeted }) => greeted),
      GREETING_AIM_MS,
    ),
    differenceRow(
      "the same, until it has the list of tools",
      pair(({ listed }) => listed),
      LIST_AIM_MS,
    ),
    differenceRow(
      "the same, until a call right after that is answered",
      pair(({ called }) => called),
      undefined,
    ),
  ];
}

export async function serverAtRest(program: Program): Promise<Row[]> {
  const rows: Row[] = [];
  const http = await startHttp(program);
  for (const [name, server] of [
    ["stdio", (await beginSession(program, false)).server],
    ["HTTP", http.server],
  ] as const) {
    await sleep(2000);
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

/** Resident megabytes of a server to which one client has put the calls for some seconds. */
export async function serverMemory(program: Program, calls: readonly Call[], seconds: number): Promise<number> {
  const { server, target } = await startHttp(program);
  try {
    await load(target, calls, { clients: 1, seconds, think: 0 });
    return residentMegabytes(server.pid);
  } finally {
    await end(server);
  }
}

/** Clients that never wait, relative to a single one. */
export async function serverUnderLoad(program: Program): Promise<Row[]> {
  return withServer(program, async (target, calls) => {
    const p50 = median((await load(target, calls, { clients: 1, seconds: 5, think: 0 })).latencies);
    const restless = await load(target, calls, { clients: CLIENTS, seconds: RESTLESS_SECONDS, think: 0 });
    return [restlessRow(restless, p50)];
  });
}

/** Also clients that think between their calls, and the memory afterwards. */
export async function serverForLong(program: Program, seconds: number, think: number): Promise<Row[]> {
  return withServer(program, async (target, calls, server) => {
    const single = await load(target, calls, { clients: 1, seconds: 10, think: 0 });
    const many = await load(target, calls, { clients: CLIENTS, seconds, think });
    const restless = await load(target, calls, { clients: CLIENTS, seconds: RESTLESS_SECONDS, think: 0 });
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
      restlessRow(restless, p50),
      { what: "failed calls", measured: String(errors), aim: "0", met: errors === 0 },
      {
        what: "memory ten seconds after",
        measured: `${residentMegabytes(server.pid).toFixed(0)} MB`,
        aim: "",
        met: true,
      },
    ];
  });
}

function restlessRow({ latencies, errors }: Measured, p50: number): Row {
  const p99 = quantile(latencies, 0.99);
  const rate = (latencies.length / RESTLESS_SECONDS).toFixed(0);
  return {
    what: `\`dex serve --port\`, ${CLIENTS} clients that never wait: p99 over the p50 of a single one`,
    measured: `${(p99 / p50).toFixed(1)} (${p99.toFixed(0)} ms over ${p50.toFixed(1)} ms); ${rate} calls a second, ${errors} failed`,
    aim: `≤ ${MAX_RESTLESS_RATIO}`,
    met: p99 / p50 <= MAX_RESTLESS_RATIO && errors === 0,
  };
}

async function withServer<T>(
  program: Program,
  use: (target: Target, calls: ReturnType<typeof someCalls>, server: ChildProcessWithoutNullStreams) => Promise<T>,
): Promise<T> {
  const { server, target } = await startHttp(program);
  try {
    const calls = someCalls(program);
    await load(target, calls, { clients: 1, seconds: 3, think: 0 });
    return await use(target, calls, server);
  } finally {
    await end(server);
  }
}

async function startHttp(program: Program): Promise<{ server: ChildProcessWithoutNullStreams; target: Target }> {
  const server = serve(program, "--port", "0");
  const [line] = (await once(createInterface({ input: server.stderr }), "line")) as [string];
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(line)?.[1]);
  const token = readFileSync(join(program.dexHome, "mcp-token"), "utf8").trim();
  return { server, target: { port, token } };
}

/** The most frequent calls of agents: search, look around, read a little. */
function someCalls(program: Program): { name: string; input: object }[] {
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
