/**
 * Measures how fast documents become sections and chunks, relative to what any reader of Markdown has to do.
 *
 *   node bench/documents/parse.ts [folder, default node_modules] [rounds, default 15]
 *
 * The bare pass reads every Markdown file below the folder and parses it with markdown-it; the other one reads it,
 * decodes it, finds its sections and cuts it into chunks. Both run alternately over the same files; the median counts.
 */
import { globSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import { chunksOf } from "../../src/documents/chunks.ts";
import { parseDocument } from "../../src/documents/parse.ts";
import { alternate, median, timed } from "../lib/measure.ts";

const AIM = 1.3;
const MAX_FILE = 4 * 1024 * 1024;

const [folder = join(import.meta.dirname, "../../node_modules"), rounds = "15"] = process.argv.slice(2);
const root = realpathSync(folder);
const files = globSync("**/*.{md,markdown}", { cwd: root })
  .map((file) => join(root, file))
  .filter((file) => statSync(file).isFile() && statSync(file).size < MAX_FILE)
  .sort();
const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
if (bytes === 0) {
  process.stderr.write(`${folder} holds no Markdown\n`);
  process.exit(2);
}

const parser = new MarkdownIt({ html: true });
let sections = 0;
let chunks = 0;

function bare(): void {
  for (const file of files) parser.parse(readFileSync(file, "utf8"), {});
}

async function documents(): Promise<void> {
  sections = 0;
  chunks = 0;
  for (const file of files) {
    const result = await parseDocument(file, readFileSync(file));
    if ("skipped" in result) continue;
    sections += result.document.sections.length;
    chunks += chunksOf(result.document).length;
  }
}

// The first rounds are compilation.
await alternate(
  3,
  () => timed(bare),
  () => timed(documents),
);
const { a, b } = await alternate(
  Math.max(1, Math.min(1000, Number(rounds) || 15)),
  () => timed(bare),
  () => timed(documents),
);
const speed = (milliseconds: number): string => `${(bytes / 1000 / milliseconds).toFixed(1)} MB/s`;
const ratio = median(b) / median(a);
process.stdout.write(
  [
    `${files.length} files, ${(bytes / 1e6).toFixed(2)} MB, ${sections} sections, ${chunks} chunks`,
    `read and markdown-it parse   ${speed(median(a))}`,
    `parseDocument and chunksOf   ${speed(median(b))}`,
    `${ratio.toFixed(2)} times the bare pass (aim: at most ${AIM})`,
    "",
  ].join("\n"),
);
