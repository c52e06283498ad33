/**
 * Reads the calls of Python files as pyright, a type checker, understands them.
 *
 * Usage: node bench/code/oracles/pyright.ts ROOT < paths (one a line) > JSON
 *
 * A call counts if pyright leads its name to definitions in the given files. If it leads elsewhere, the call is decided and
 * has no target here; if it leads nowhere or to a variable, the call is undecided. Packages that the files import count as
 * known only where pyright finds them.
 */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installed } from "../../../test/support/program/installed.ts";
import type { GoldCall } from "../score.ts";
import { ANY_NAME } from "./tools.ts";

/** Where the name of a called function stands, lines and columns from 0. */
interface CallSite {
  path: string;
  line: number;
  column: number;
  name: string;
}
interface Place {
  line: number;
  character: number;
}
interface Location {
  uri: string;
  range: { start: Place; end: Place };
}

const PACKAGE = "pyright@1.1.414";
/** Requests that are on their way at one time. */
const WINDOW = 64;

const root = process.argv[2] ?? ".";
const paths = readFileSync(0, "utf8").split("\n").filter(Boolean);
const own = new Set(paths);
const lines = new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8").split(/\r\n|\r|\n/)]));
const server = startServer();
await server.request("initialize", {
  processId: process.pid,
  rootUri: pathToFileURL(root).href,
  workspaceFolders: [{ uri: pathToFileURL(root).href, name: "sources" }],
  capabilities: { workspace: { configuration: true }, textDocument: { definition: {} } },
});
server.notify("initialized", {});

const calls: GoldCall[] = [];
const undecided: string[] = [];
const sites = Map.groupBy(callSites(), ({ path }) => path);
for (const [path, inFile] of sites) {
  const uri = pathToFileURL(join(root, path)).href;
  const text = readFileSync(join(root, path), "utf8");
  server.notify("textDocument/didOpen", { textDocument: { uri, languageId: "python", version: 1, text } });
  for (let at = 0; at < inFile.length; at += WINDOW) {
    await Promise.all(inFile.slice(at, at + WINDOW).map((site) => judge(site, uri)));
  }
  server.notify("textDocument/didClose", { textDocument: { uri } });
}
process.stdout.write(JSON.stringify({ calls, imports: [], undecided }));
server.stop();

async function judge({ path, line, column, name }: CallSite, uri: string): Promise<void> {
  const answer = await server.request("textDocument/definition", {
    textDocument: { uri },
    position: { line, character: column },
  });
  const found = [answer].flat().filter((each): each is Location => each !== null && each !== undefined);
  const targets = found.flatMap((location) => definitionAt(location));
  if (targets.length > 0) calls.push({ path, line: line + 1, targets });
  else if (found.length === 0) undecided.push(`${path}:${line + 1}:${name}`);
  // The variable may stand for a definition with another name.
  else if (found.some(({ uri: at }) => own.has(pathOf(at)))) undecided.push(`${path}:${line + 1}:${ANY_NAME}`);
}

/** The function or class that is defined at a place in the given files. */
function definitionAt({ uri, range: { start, end } }: Location): GoldCall["targets"][number][] {
  const path = pathOf(uri);
  const text = lines.get(path)?.[start.line];
  if (text === undefined) return [];
  const name = text.slice(start.character, end.character);
  return /\b(?:def|class)\s+$/.test(text.slice(0, start.character)) ? [{ path, name, line: start.line + 1 }] : [];
}

function pathOf(uri: string): string {
  return relative(root, fileURLToPath(uri));
}

function callSites(): CallSite[] {
  const run = spawnSync("/usr/bin/python3", [join(import.meta.dirname, "python_call_sites.py"), root], {
    input: `${paths.join("\n")}\n`,
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (run.status !== 0) throw new Error(`python3: ${run.error?.message ?? run.stderr}`);
  return JSON.parse(run.stdout) as CallSite[];
}

/** pyright's language server. It asks for settings, and gets the defaults. */
function startServer() {
  const folder = installed(PACKAGE);
  if (folder === undefined) throw new Error(`${PACKAGE} is not installed and the registry cannot be reached`);
  const child = spawn(process.execPath, [join(folder, "langserver.index.js"), "--stdio"], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map<number, (result: unknown) => void>();
  let last = 0;
  let received = Buffer.alloc(0);
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const take = (message: { id?: number; method?: string; result?: unknown; params?: { items?: unknown[] } }): void => {
    if (message.id === undefined) return;
    if (message.method === undefined) {
      waiting.get(message.id)?.(message.result);
      waiting.delete(message.id);
    } else send({ id: message.id, result: message.params?.items?.map(() => null) ?? null });
  };
  child.stdout.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const head = received.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(received.subarray(0, head).toString())?.[1]);
      if (received.length < head + 4 + length) return;
      take(JSON.parse(received.subarray(head + 4, head + 4 + length).toString()));
      received = received.subarray(head + 4 + length);
    }
  });
  return {
    notify: (method: string, params: object) => send({ method, params }),
    request: (method: string, params: object) => {
      last += 1;
      const id = last;
      send({ id, method, params });
      return new Promise<unknown>((resolve) => waiting.set(id, resolve));
    },
    stop: () => child.kill(),
  };
}
