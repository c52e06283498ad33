/**
 * Measures the cost of `dex serve`: its start, its idle memory, and 64 concurrent clients.
 * docs/internals/performance.md explains the figures.
 *
 *   node scripts/build.ts && node bench/speed/servers/serve.ts [--home DIR] [--seconds 60] [--think 1000]
 *
 * --home: histories to serve, instead of the shared ones. --think: the average pause of a client between its calls, in
 * milliseconds. An agent thinks for seconds; 64 clients without a pause are measured as well, for the throughput.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openCorpus } from "../../lib/corpus.ts";
import { dexCommand, type Program, runNode } from "../../lib/program.ts";
import { markdownTable } from "../../lib/table.ts";
import { serverAtRest, serverForLong, serverStart } from "./server.ts";

const ROUNDS = 15;

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
  dist: join(import.meta.dirname, "../../../dist"),
  cwd: join(temp, "cwd"),
  home: corpus.home,
  dexHome: join(temp, "dex"),
};
mkdirSync(program.cwd);
runNode(program, dexCommand(program, "sync"));
const rows = [
  ...(await serverStart(program, ROUNDS)),
  ...(await serverAtRest(program)),
  ...(await serverForLong(program, seconds, think)),
];
process.stdout.write(`${markdownTable(rows)}\n\nMeasured on ${corpus.name}.\n`);
