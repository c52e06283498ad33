/**
 * Precision and recall of shown decisions, by source, from labels that people made by reading.
 * Usage: `node bench/decisions/measure.ts <found.jsonl> <labels.jsonl>... [--half=tuning|held] [--list]`
 *
 * `found.jsonl` is the output of `collect.ts`. A label is one JSON line: `repository`, `origin`, `place`, `text`, and
 * `label`: `y` (a decision about the project, complete, understandable alone, in force), `n` (not a decision), `p`
 * (incomplete, or not understandable alone), `h` (no longer in force). A hash of the text puts each label into one half:
 * rules are changed by looking at the tuning half only. `--list` prints the mistakes and unlabelled ones of that half.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";

interface Label {
  repository: string;
  origin: string;
  place: string;
  text: string;
  label: "y" | "n" | "p" | "h";
}

interface Found extends Omit<Label, "label"> {
  status: string;
  shown: boolean;
  places?: string[];
}

const SOURCES: readonly [string, readonly string[]][] = [
  ["said outright (records, trailers, breaking changes)", ["user", "adr", "trailer", "breaking"]],
  ["comments", ["marker"]],
  ["commits", ["commit"]],
  ["conversations", ["conversation"]],
  ["all", ["user", "adr", "trailer", "breaking", "marker", "commit", "conversation"]],
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { half: { type: "string" }, list: { type: "boolean", default: false } },
});
const [foundFile, ...labelFiles] = positionals;
if (foundFile === undefined || labelFiles.length === 0) {
  throw new Error("Give the output of collect.ts and at least one file with labels.");
}

const shown = readLines<Found>(foundFile).filter(
  (each) => each.shown && (each.status === "accepted" || each.status === "proposed"),
);
// A later file corrects an earlier one.
const labels = [...new Map(labelFiles.flatMap(readLines<Label>).map((each) => [keyOf(each), each])).values()];
const halves = values.half === undefined ? ["tuning", "held"] : [values.half];

for (const half of halves) {
  const rows = SOURCES.map(([source, origins]) => measured(source, origins, half));
  const lines = [["source", "labelled", "right", "precision", "recall", "unlabelled"], Array(6).fill("---"), ...rows];
  process.stdout.write(`\n${half}\n${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`);
}
if (values.list) for (const half of halves) list(half);

function readLines<T>(file: string): T[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}

function measured(source: string, origins: readonly string[], half: string): string[] {
  const mine = shown.filter((each) => origins.includes(each.origin) && halfOfFound(each) === half);
  const judged = mine.flatMap((each) => labelOf(each) ?? []);
  const right = judged.filter(({ label }) => label === "y").length;
  const wanted = labels.filter(
    ({ origin, label, text }) => origins.includes(origin) && label === "y" && halfOf(text) === half,
  );
  const hit = wanted.filter((each) => shown.some((found) => sameText(found, each))).length;
  const share = (part: number, whole: number): string => (whole === 0 ? "" : (part / whole).toFixed(3));
  return [
    source,
    `${judged.length}`,
    `${right}`,
    share(right, judged.length),
    `${hit} of ${wanted.length}`,
    `${mine.length - judged.length}`,
  ];
}

function list(half: string): void {
  for (const each of shown.filter((found) => halfOfFound(found) === half)) {
    const label = labelOf(each)?.label ?? "?";
    if (label !== "y")
      process.stdout.write(`${label} ${each.origin} ${each.repository} ${each.place} | ${each.text}\n`);
  }
  for (const each of labels.filter(({ text, label }) => label === "y" && halfOf(text) === half)) {
    if (!shown.some((found) => sameText(found, each)))
      process.stdout.write(`missed ${each.origin} ${each.repository} | ${each.text}\n`);
  }
}

/** The label of this very text, or of a text that is part of it or contains it, unless completeness was the question. */
function labelOf(found: Found): Label | undefined {
  const exact = labels.find((each) => isSameRepository(each, found) && plain(each.text) === plain(found.text));
  return exact ?? labels.find((each) => each.label !== "p" && sameText(found, each));
}

function sameText(found: Found, label: Label): boolean {
  if (!isSameRepository(label, found)) return false;
  const [a, b] = [plain(found.text), plain(label.text)];
  return a === b || (Math.min(a.length, b.length) >= 20 && (a.includes(b) || b.includes(a)));
}

function isSameRepository(a: { repository: string }, b: { repository: string }): boolean {
  return nameOf(a.repository) === nameOf(b.repository);
}

function nameOf(repository: string): string {
  return basename(repository.replace(/^~/, ""));
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/\(#\d+\)/g, " ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function keyOf({ repository, text }: Label): string {
  return `${nameOf(repository)} ${plain(text)}`;
}

function halfOf(text: string): string {
  const byte = createHash("sha256").update(text).digest()[3] ?? 0;
  return byte % 2 === 0 ? "tuning" : "held";
}

/** A text that the rules complete stays in the half of its label. */
function halfOfFound(found: Found): string {
  return halfOf(labelOf(found)?.text ?? found.text);
}
