/**
 * `npm run bench:million`: a million invented messages, synced and searched. The vocabulary is small, so every query is
 * as broad as possible: each of its words is in a third of all messages. The searches that are timed run in this process,
 * with the built program; the memory is that of a server (`dex serve --port`) that one client has searched for 40 seconds.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { random, sentence, writeClaudeHistory } from "../../test/support/histories/generate.ts";
import { serverMemory } from "./servers/server.ts";

const SESSIONS = 2500;
const TURNS = 134;
const QUERIES = 120;
const SERVER_SECONDS = 40;

// In a process of its own, whose memory is not that of the searches.
const [folder] = process.argv.slice(2);
if (folder !== undefined) {
  writeClaudeHistory(folder, 77, { sessions: SESSIONS, turns: TURNS, output: 25 });
  process.exit();
}
const root = join(import.meta.dirname, "../..");
const { Dex, operations } = (await import(join(root, "dist/index.js"))) as typeof import("../../src/index.ts");
const home = mkdtempSync(join(tmpdir(), "dex-million-"));
try {
  execFileSync(process.execPath, [import.meta.filename, home]);
  const vars = { HOME: home, DEX_HOME: join(home, ".dex"), PATH: process.env.PATH ?? "" };
  const started = performance.now();
  execFileSync(process.execPath, [join(root, "dist/dex.js"), "sync"], { env: vars, stdio: "ignore" });
  const syncSeconds = (performance.now() - started) / 1000;
  const dex = await Dex.open({ vars });
  const search = await operations.search();
  const next = random(5);
  const time = async (more: object): Promise<number[]> => {
    const times: number[] = [];
    for (let i = 0; i < QUERIES; i += 1) {
      const input = search.input.parse({ query: sentence(next, 4), limit: 10, ...more });
      const begin = performance.now();
      await search.run(dex, input, {});
      times.push(performance.now() - begin);
    }
    return times.sort((a, b) => a - b);
  };
  await time({});
  const lexical = await time({ mode: "lexical" });
  const plain = await time({});
  const filtered = await time({ project: "work", role: "user" });
  const at = (times: number[], share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(0);
  const { messages } = dex.store.totals();
  const cwd = join(home, "cwd");
  mkdirSync(cwd);
  const program = { dist: join(root, "dist"), cwd, home, dexHome: vars.DEX_HOME };
  const calls = Array.from({ length: 2 * QUERIES }, () => ({
    name: "dex_search",
    input: { query: sentence(next, 4) },
  }));
  const memory = await serverMemory(program, calls, SERVER_SECONDS);
  process.stdout.write(
    [
      `${messages} messages synced in ${syncSeconds.toFixed(0)} s`,
      `search: median ${at(plain, 0.5)} ms, p95 ${at(plain, 0.95)} ms (aim 90 ms)`,
      `the same by words alone: median ${at(lexical, 0.5)} ms, p95 ${at(lexical, 0.95)} ms`,
      `filtered: median ${at(filtered, 0.5)} ms, p95 ${at(filtered, 0.95)} ms (aim: at most 1.5 times unfiltered)`,
      `memory of a server: ${Math.round(memory)} MB (aim 400 MB)`,
      "",
    ].join("\n"),
  );
  dex.close();
} finally {
  rmSync(home, { recursive: true, force: true });
}
