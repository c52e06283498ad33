/**
 * Measures a full index of a large project in a process of its own: wall time, CPU time of all threads and of the main
 * thread, and peak memory.
 *
 *   node scripts/build.ts && node bench/code/large.ts [--files 20000] [--rounds 1] [folder …]
 *
 * The project is made of the sources in the folders (this repository's own if none is given), copied under other names
 * until there are enough files.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { median } from "../lib/measure.ts";
import { copyPackage, dexCommand, type Program, runForUsage } from "../lib/program.ts";
import { makeCorpus } from "./corpus.ts";

const { values, positionals } = parseArgs({
  options: { files: { type: "string" }, rounds: { type: "string" } },
  allowPositionals: true,
});
const root = join(import.meta.dirname, "../..");
const temp = mkdtempSync(join(tmpdir(), "dex-code-large-"));
process.once("exit", () => rmSync(temp, { recursive: true, force: true }));

const folder = join(temp, "project");
const sources = positionals.length > 0 ? positionals : ["src", "test", "bench"].map((part) => join(root, part));
const files = makeCorpus(folder, sources, Number(values.files ?? 20_000));
const dist = copyPackage(root, join(temp, "package"));
const cwd = join(temp, "cwd");
mkdirSync(cwd);
const runs = Array.from({ length: Number(values.rounds ?? 1) }, (_, round) => {
  const program: Program = { dist, cwd, home: temp, dexHome: join(temp, `dex${round}`) };
  const usage = runForUsage(program, dexCommand(program, "code", "index", folder));
  rmSync(program.dexHome, { recursive: true, force: true });
  return usage;
});
const middle = (of: (usage: (typeof runs)[number]) => number): number => median(runs.map(of));
process.stdout.write(
  `${files.length} files: ${seconds(middle(({ ms }) => ms))} wall, ${seconds(middle(({ cpu }) => cpu))} CPU, ` +
    `${seconds(middle(({ main }) => main))} of it in the main thread, peak ${Math.round(middle(({ peak }) => peak) / 1e6)} MB\n`,
);

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
