/**
 * Reads the results of workers in any of these forms: a JSON array, an object with an `items` or `results` array, JSON
 * Lines, or one of these inside a Markdown fence. Workers are models, so dex reports any other file and skips it.
 */
import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../kernel/errors.ts";
import { isObject, type Json, parseJson } from "../../kernel/json.ts";
import { compareText, formatBytes, plural } from "../../kernel/text.ts";
import type { FoundItem } from "./merge.ts";

export interface Problem {
  file: string;
  problem: string;
}

export interface Results {
  items: FoundItem[];
  /** Number of files with results, possibly empty lists. */
  files: number;
  problems: Problem[];
}

const MAX_FILE_BYTES = 32 << 20;
const MAX_TOTAL_BYTES = 256 << 20;
const MAX_FILES = 10_000;
const MAX_ITEMS = 200_000;
const MAX_DEPTH = 4;
const RESULT_FILE = /\.(?:json|jsonl|ndjson|md|txt)$/i;
const LISTS = ["items", "results"];

/** Paths are files, or folders to search for results. Each file is read once, in the order of paths. */
export function readResults(paths: readonly string[]): Results {
  const results: Results = { items: [], files: 0, problems: [] };
  const files = [...new Set(paths.flatMap((path) => filesIn(path, 0, results.problems)))].sort(compareText);
  if (files.length > MAX_FILES) {
    results.problems.push({
      file: files[MAX_FILES] ?? "",
      problem: `this and all later files were skipped: there are more than ${MAX_FILES} files`,
    });
  }
  let bytes = 0;
  for (const file of files.slice(0, MAX_FILES)) {
    const text = readBounded(file, Math.min(MAX_FILE_BYTES, MAX_TOTAL_BYTES - bytes));
    if (typeof text !== "string") {
      results.problems.push({ file, problem: text.problem });
      continue;
    }
    bytes += text.length;
    takeIn(results, file, text);
  }
  return results;
}

function takeIn(results: Results, file: string, text: string): void {
  const { items, broken } = itemsOf(text);
  if (items === undefined) {
    results.problems.push({ file, problem: text.trim() === "" ? "is empty" : "holds no JSON results" });
    return;
  }
  results.files += 1;
  if (broken > 0) results.problems.push({ file, problem: `${plural(broken, "line")} cannot be parsed as JSON` });
  const room = MAX_ITEMS - results.items.length;
  if (items.length > room)
    results.problems.push({ file, problem: `more than ${MAX_ITEMS} items: dex skipped the rest` });
  for (const item of items.slice(0, room)) results.items.push({ item, from: file });
}

/** Undefined when there are no results in the text. Null is not an item. */
export function itemsOf(text: string): { items: Json[] | undefined; broken: number } {
  const plain = text.replace(/^\uFEFF/, "").trim();
  const whole = parseJson(plain);
  if (whole !== undefined) return { items: listOf(whole), broken: 0 };
  const fenced = [...plain.matchAll(/^```[a-z]*[ \t]*\n([\s\S]*?)^```/gim)].map(([, block = ""]) => parseJson(block));
  const blocks = fenced.flatMap((value) => (value === undefined ? [] : (listOf(value) ?? [])));
  if (blocks.length > 0) return { items: blocks, broken: 0 };
  return jsonLines(plain);
}

function jsonLines(text: string): { items: Json[] | undefined; broken: number } {
  const items: Json[] = [];
  let broken = 0;
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const value = parseJson(line);
    if (isObject(value)) items.push(...(listOf(value) ?? []));
    else broken += 1;
  }
  return { items: items.length > 0 ? items : undefined, broken };
}

/** An object without a list is the only result itself. */
function listOf(value: Json): Json[] | undefined {
  if (Array.isArray(value)) return value.filter((item) => item !== null && item !== "");
  if (!isObject(value)) return undefined;
  const name = LISTS.find((list) => Array.isArray(value[list]));
  const list = name === undefined ? undefined : value[name];
  return Array.isArray(list) ? listOf(list) : [value];
}

function filesIn(path: string, depth: number, problems: Problem[]): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const found: string[] = [];
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (entry.isFile() && RESULT_FILE.test(entry.name)) found.push(inner);
      // Do not follow links inside a folder: they may form a cycle or lead out of it.
      else if (entry.isDirectory() && depth < MAX_DEPTH) found.push(...filesIn(inner, depth + 1, problems));
      if (found.length > MAX_FILES) break;
    }
    return found;
  } catch (error) {
    problems.push({ file: path, problem: whyNot(error) });
    return [];
  }
}

function readBounded(path: string, max: number): string | { problem: string } {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return { problem: "is not a file" };
    if (stats.size > max) return { problem: `is too large (${formatBytes(stats.size)})` };
    const buffer = Buffer.allocUnsafe(stats.size);
    const fd = openSync(path, "r");
    try {
      return buffer.toString("utf8", 0, readSync(fd, buffer, 0, buffer.length, 0));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return { problem: whyNot(error) };
  }
}

function whyNot(error: unknown): string {
  const code = systemCode(error);
  if (code === undefined) throw error;
  return code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
}
