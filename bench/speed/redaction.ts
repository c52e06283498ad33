/**
 * Redaction over real histories: how fast, and how much it takes away.
 *
 *   node bench/speed/redaction.ts <home> [samples per rule, default 10] [rule]
 *
 * Walks the agents' folders under <home>, runs redactText over every string value, and prints sizes, rates and, for a
 * human eye, matches with their context. Published histories are scrubbed, so that nearly every match is a mistake.
 */
import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Json, parseJson } from "../../src/kernel/json.ts";
import { redactText } from "../../src/redact/redact.ts";
import { findSpans } from "../../src/redact/scan.ts";

const FOLDERS = [".claude", ".codex", ".copilot", ".pi", "specstory", ".specstory"];
const CONTEXT = 60;

const [home, wanted = "10", only] = process.argv.slice(2);
if (home === undefined) {
  process.stderr.write("usage: node bench/speed/redaction.ts <home> [samples per rule] [rule]\n");
  process.exit(2);
}
const limit = Number(wanted);
const samples = new Map<string, string[]>();
const counts = new Map<string, number>();
let characters = 0;
let strings = 0;
let milliseconds = 0;
let found = 0;

for (const folder of FOLDERS) for (const path of filesUnder(join(home, folder))) measure(stringsOf(path));

const megabytes = characters / 1e6;
print(`${megabytes.toFixed(1)} MB in ${strings} strings, ${found} redactions, ${(found / megabytes).toFixed(3)} a MB`);
print(`${(megabytes / (milliseconds / 1000)).toFixed(0)} MB/s of processor time (redactText alone)`);
for (const [id, count] of [...counts].sort((one, other) => other[1] - one[1])) {
  print(`${String(count).padStart(6)}  ${id}`);
  for (const sample of samples.get(id) ?? []) print(`          ${sample}`);
}

function measure(texts: string[]): void {
  const started = process.cpuUsage().user;
  let count = 0;
  for (const text of texts) count += redactText(text).count;
  milliseconds += (process.cpuUsage().user - started) / 1000;
  strings += texts.length;
  found += count;
  for (const text of texts) characters += text.length;
  if (count > 0) for (const text of texts) sample(text);
}

function sample(text: string): void {
  for (const { id, start, end } of findSpans(text)) {
    counts.set(id, (counts.get(id) ?? 0) + 1);
    if (only !== undefined && id !== only) continue;
    const list = samples.get(id) ?? [];
    samples.set(id, list);
    if (list.length >= limit) continue;
    const context = `${text.slice(Math.max(0, start - CONTEXT), start)}⟦${text.slice(start, Math.min(end, start + 160))}⟧${text.slice(end, end + 20)}`;
    const line = JSON.stringify(context);
    if (!list.includes(line)) list.push(line);
  }
}

function stringsOf(path: string): string[] {
  const text = readFileSync(path, "utf8");
  if (!/\.jsonl?$/.test(path)) return [text];
  const out: string[] = [];
  const records = path.endsWith("l") ? text.split("\n") : [text];
  for (const record of records) collect(parseJson(record) ?? null, out);
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
    if (entry.isDirectory()) yield* filesUnder(path);
    else if (entry.isFile() && /\.(?:jsonl?|md)$/.test(entry.name)) yield path;
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
