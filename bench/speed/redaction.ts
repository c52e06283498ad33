/**
 * Redaction over real text: its speed, and how much it removes.
 *
 *   node bench/speed/redaction.ts <folder>... [--samples=10] [--rule=<id>] [--half=a|b] [--baseline=<older redact.ts>]
 *
 * Walks the folders, runs redactText over every text file (over every string value of JSON and JSON Lines files), and
 * prints sizes, rates and, for a human eye, matches with their context. Published histories and source code are
 * scrubbed, so nearly every match is a false positive. `--half` takes one half of the files (split by a hash of the
 * path): rules are tuned on half a, and half b validates them. `--baseline` measures an older version in the same run.
 */
import { createHash } from "node:crypto";
import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { type Json, parseJson } from "../../src/kernel/json.ts";
import { redactText } from "../../src/redact/redact.ts";
import { findSpans } from "../../src/redact/scan.ts";

const CONTEXT = 60;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const BINARY_PROBE_BYTES = 4096;

type Redact = typeof redactText;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    samples: { type: "string", default: "10" },
    rule: { type: "string" },
    half: { type: "string" },
    baseline: { type: "string" },
  },
});
if (positionals.length === 0) {
  process.stderr.write(
    "usage: node bench/speed/redaction.ts <folder>... [--samples=n] [--rule=id] [--half=a|b] [--baseline=redact.ts]\n",
  );
  process.exit(2);
}
const limit = Number(values.samples);
const samples = new Map<string, string[]>();
const counts = new Map<string, number>();
const baseline: Redact | undefined =
  values.baseline === undefined ? undefined : (await import(pathToFileURL(resolve(values.baseline)).href)).redactText;
let characters = 0;
let files = 0;
let milliseconds = 0;
let baselineMilliseconds = 0;
let found = 0;

for (const folder of positionals)
  for (const path of filesUnder(folder)) if (isWanted(relative(folder, path))) measure(path);

const megabytes = characters / 1e6;
print(`${megabytes.toFixed(1)} MB in ${files} files, ${found} redactions, ${(found / megabytes).toFixed(3)} a MB`);
print(`${(megabytes / (milliseconds / 1000)).toFixed(0)} MB/s of processor time (redactText alone)`);
if (baseline !== undefined)
  print(
    `${(megabytes / (baselineMilliseconds / 1000)).toFixed(0)} MB/s for the baseline: ${(milliseconds / baselineMilliseconds).toFixed(2)} times its time`,
  );
for (const [id, count] of [...counts].sort((one, other) => other[1] - one[1])) {
  if (values.rule !== undefined && id !== values.rule) continue;
  print(`${String(count).padStart(6)}  ${id}`);
  for (const sample of samples.get(id) ?? []) print(`          ${sample}`);
}

function isWanted(path: string): boolean {
  if (values.half === undefined) return true;
  return ((createHash("sha256").update(path).digest()[0] ?? 0) & 1) === (values.half === "b" ? 1 : 0);
}

function measure(path: string): void {
  const texts = stringsOf(path);
  if (texts === undefined) return;
  files += 1;
  // Alternating, so neither version always finds the texts in the processor's cache.
  if (baseline !== undefined && files % 2 === 0) baselineMilliseconds += timeOf(baseline, texts).milliseconds;
  const own = timeOf(redactText, texts);
  milliseconds += own.milliseconds;
  if (baseline !== undefined && files % 2 === 1) baselineMilliseconds += timeOf(baseline, texts).milliseconds;
  found += own.count;
  for (const text of texts) characters += text.length;
  if (own.count > 0) for (const text of texts) sample(text, path);
}

function timeOf(redact: Redact, texts: readonly string[]): { count: number; milliseconds: number } {
  const started = process.cpuUsage().user;
  let count = 0;
  for (const text of texts) count += redact(text).count;
  return { count, milliseconds: (process.cpuUsage().user - started) / 1000 };
}

function sample(text: string, path: string): void {
  for (const { id, start, end } of findSpans(text)) {
    counts.set(id, (counts.get(id) ?? 0) + 1);
    const list = samples.get(id) ?? [];
    samples.set(id, list);
    if (list.length >= limit) continue;
    const context = `${text.slice(Math.max(0, start - CONTEXT), start)}⟦${text.slice(start, Math.min(end, start + 160))}⟧${text.slice(end, end + 20)}`;
    const line = JSON.stringify(context);
    if (!list.some((known) => known.startsWith(line))) list.push(`${line}  ${path.slice(-60)}`);
  }
}

/** The strings of a file; nothing for one that is binary or too large. */
function stringsOf(path: string): string[] | undefined {
  const { size } = statSync(path);
  if (size === 0 || size > MAX_FILE_BYTES) return undefined;
  const bytes = readFileSync(path);
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) return undefined;
  const text = bytes.toString("utf8");
  if (!/\.jsonl?$/.test(path)) return [text];
  const out: string[] = [];
  for (const record of path.endsWith("l") ? text.split("\n") : [text]) collect(parseJson(record) ?? null, out);
  return out;
}

function collect(value: Json, out: string[]): void {
  if (typeof value === "string") out.push(value);
  if (typeof value !== "object" || value === null) return;
  for (const child of Object.values(value)) if (child !== undefined) collect(child, out);
}

function* filesUnder(directory: string): Generator<string> {
  let entries: Dirent[];
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch {
    return;
  }
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && entry.name !== ".git") yield* filesUnder(path);
    else if (entry.isFile()) yield path;
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
