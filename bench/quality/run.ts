/**
 * Measures how well dex ranks, on public sets and on real histories. docs/internals/quality/search.md explains the figures.
 *
 *   npm run bench:quality -- [--sets locomo,beam,cosqa,scifact,sessions] [--write] [--save FILE] [--against FILE]
 *   npm run bench:quality -- --minilm <folder> [--sample]
 *   npm run bench:quality -- --fit [--minilm <folder> [--sample]]
 *
 * --write updates the table in docs/internals/quality/search.md. --save keeps the value of every query; --against compares this
 * run with a kept one, query by query. --fit fits the weights of src/ranking/scores/weights.ts again,
 * or with --minilm those of src/search/query/second_weights.ts. --minilm compares
 * words, the built-in model and MiniLM, whose packages are installed in the folder; dex keeps the vectors in .cache,
 * because the first run takes about an hour. --sample takes a part of the larger sets.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeBetweenMarkers } from "../lib/table.ts";
import type { Configuration, Figure } from "./figures.ts";
import { SETS } from "./sets.ts";
import { comparisonTable, qualityTable } from "./table.ts";

/** The others are compared with the first. */
const CONFIGURATIONS: readonly Configuration[] = [
  { name: "bm25", options: { mode: "lexical" } },
  { name: "vectors", options: { mode: "vector" } },
  { name: "hybrid", options: { mode: "hybrid" } },
];

/** One column for each choice of model. */
const TIERS: readonly Configuration[] = [
  { name: "words", options: { mode: "lexical" } },
  { name: "built in", options: { mode: "hybrid" } },
  { name: "minilm", options: { mode: "hybrid" }, tier: "minilm" },
];

const { values } = parseArgs({
  options: {
    sets: { type: "string" },
    write: { type: "boolean" },
    fit: { type: "boolean" },
    save: { type: "string" },
    against: { type: "string" },
    minilm: { type: "string" },
    sample: { type: "boolean", default: false },
  },
});
const packages = values.minilm === undefined ? undefined : resolve(values.minilm);
const configurations = packages === undefined ? CONFIGURATIONS : TIERS;
const wanted = values.sets?.split(",") ?? Object.keys(SETS);
const temp = mkdtempSync(join(tmpdir(), "dex-quality-"));
process.once("exit", () => rmSync(temp, { recursive: true, force: true }));
process.once("SIGINT", () => process.exit(130));
if (values.fit) {
  const fit =
    packages === undefined
      ? (await import("./fitting/fit.ts")).fitWeights(temp)
      : (await import("./fitting/fit_second.ts")).fitSecond({ packages, temp, sample: values.sample });
  process.stdout.write(`${await fit}\n`);
  process.exit(0);
}

const figures: Figure[] = [];
const sizes: string[] = [];
for (const name of wanted) {
  const scorer = SETS[name];
  if (!scorer) throw new Error(`There is no set "${name}"; the sets are ${Object.keys(SETS).join(", ")}.`);
  const started = performance.now();
  const scored = await scorer({ configurations, temp, packages, sample: values.sample });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stderr.write(
    scored ? `measured: ${name}, ${seconds} s\n` : `left out: ${name} is not next to this checkout\n`,
  );
  if (!scored) continue;
  figures.push(...scored.figures);
  sizes.push(scored.size);
}
if (figures.length === 0) throw new Error("There is nothing to measure with: set DEX_SHARED to the shared data.");
const names = configurations.map(({ name }) => name);
const text = `${qualityTable(names, figures, packages === undefined ? 0 : 1)}\n\nSizes: ${sizes.join("; ")}.`;
process.stdout.write(`${text}\n`);
if (values.save !== undefined) writeFileSync(values.save, JSON.stringify(figures));
if (values.against !== undefined) {
  const before = JSON.parse(readFileSync(values.against, "utf8")) as Figure[];
  process.stdout.write(`\n${comparisonTable(names, before, figures)}\n`);
}
const page = join(import.meta.dirname, "../../docs/internals/quality/search.md");
if (values.write) writeBetweenMarkers(page, text, packages === undefined ? "bench" : "tiers");
