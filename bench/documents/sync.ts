/**
 * Measures how fast a collection of documentation is synced, relative to a bare pass that reads and parses the same
 * files.
 *
 *   node bench/documents/sync.ts [--folder DIR] [--quick] [--write]
 *
 * --folder: documentation to measure on; by default dex's own and that of its packages, several times over. --write
 * updates the table in docs/internals/performance/documents.md.
 */
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { canonicalSource, identityOf, parseSource } from "../../src/collections/declaring/source.ts";
import { walkFolder } from "../../src/collections/gather/walk.ts";
import { syncCollections } from "../../src/collections/service.ts";
import { Dex } from "../../src/dex.ts";
import { parseDocument } from "../../src/documents/parse.ts";
import { alternate, median, timed } from "../lib/measure.ts";
import { markdownTable, megabytes, type Row, ratioRow, writeBetweenMarkers } from "../lib/table.ts";

const COPIES = 10;
const AIM = 3;
const root = join(import.meta.dirname, "../..");

const { values } = parseArgs({
  options: { folder: { type: "string" }, quick: { type: "boolean" }, write: { type: "boolean" } },
});
const rounds = values.quick ? 3 : 5;
const temp = mkdtempSync(join(tmpdir(), "dex-bench-docs-"));
process.once("exit", () => rmSync(temp, { recursive: true, force: true }));
process.once("SIGINT", () => process.exit(130));

const folder = values.folder === undefined ? ownDocuments() : resolve(values.folder);
const { files } = walkFolder(folder, { include: [], exclude: [] }, 100_000);
const bytes = files.reduce((sum, { size }) => sum + size, 0);
if (files.length === 0) throw new Error(`${folder} holds no documents`);
process.stderr.write(`measuring: ${files.length} documents, ${megabytes(bytes)}\n`);

let run = 0;
const full = await alternate(
  rounds + 1,
  () => timed(syncOnce),
  () => timed(readAndParse),
);
const idleHome = await openHome();
await syncIn(idleHome);
const idle = await alternate(
  rounds,
  () => timed(() => syncIn(idleHome)),
  () => timed(statAll),
);
idleHome.close();
// The first round compiles.
const warm = { a: full.a.slice(1), b: full.b.slice(1) };
const speed = (ms: number): string => `${(bytes / 1000 / ms).toFixed(1)} MB/s`;
const rows: Row[] = [
  ratioRow(
    "sync of a new collection over a bare read and parse of the same files",
    warm,
    AIM,
    `${speed(median(warm.a))} over ${speed(median(warm.b))}`,
  ),
  ratioRow("sync of a collection with nothing new over a bare walk of the same files", idle, AIM),
];
const what =
  values.folder === undefined ? `dex's own documentation and that of its packages, ${COPIES} times` : "a folder";
const text = `${markdownTable(rows)}\n\nCorpus: ${what}: ${files.length} documents, ${megabytes(bytes)}. Rounds: ${rounds}.`;
process.stdout.write(`${text}\n`);
if (values.write) writeBetweenMarkers(join(root, "docs/internals/performance/documents.md"), text, "documents");

async function syncOnce(): Promise<void> {
  const dex = await openHome();
  try {
    await syncIn(dex);
  } finally {
    dex.close();
  }
}

function openHome(): Promise<Dex> {
  run += 1;
  const home = join(temp, `home${run}`);
  return Dex.open({ vars: { HOME: home, DEX_HOME: join(home, ".dex") }, cwd: temp });
}

async function syncIn(dex: Dex): Promise<void> {
  const source = parseSource([folder], "/");
  const about = { id: identityOf(source), canonical: canonicalSource(source), file: dex.paths.config };
  const outcomes = await syncCollections(dex, [{ name: "all", origin: "global", source, trusted: true, ...about }]);
  const report = outcomes?.[0]?.report;
  if (!report || report.added + report.unchanged + report.skipped.length < files.length) {
    throw new Error(`not everything was synced: ${JSON.stringify(report?.failed.slice(0, 3))}`);
  }
}

async function readAndParse(): Promise<void> {
  for (const { path, absolute } of files) await parseDocument(path, readFileSync(absolute));
}

function statAll(): void {
  walkFolder(folder, { include: [], exclude: [] }, 100_000);
}

/** Each copy differs a little: no two documents are equal. */
function ownDocuments(): string {
  const place = join(temp, "documents");
  const found = [
    ...globSync("docs/**/*.md", { cwd: root }),
    ...globSync("node_modules/{*,@*/*}/**/*.md", { cwd: root, exclude: (path) => path.includes("node_modules/.") }),
  ];
  for (let copy = 0; copy < COPIES; copy += 1) {
    for (const path of found) {
      const to = join(place, `copy${copy}`, path.replaceAll("node_modules", "packages"));
      mkdirSync(dirname(to), { recursive: true });
      cpSync(join(root, path), to);
      writeFileSync(to, `${readFileSync(to, "utf8")}\n\nCopy ${copy} of ${path}.\n`);
    }
  }
  return place;
}
