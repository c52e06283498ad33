/**
 * Functions and classes in a history, without a parser: git names the definition above each hunk, and changed lines show
 * the ones they define. A code graph, if there is one, gives a symbol's exact lines (`Locate`).
 */
import { DexError } from "../kernel/errors.ts";
import { readContainedText } from "../kernel/files/bounded_read.ts";
import { indentOf } from "../text/indent.ts";
import { git, gitChunks } from "./git.ts";
import { grepLines } from "./grep.ts";
import type { Repository } from "./repository.ts";

export interface LineRange {
  file: string;
  first: number;
  last: number;
}

/** Finds the current definitions of a symbol, by the code graph or by text (`locateByText`). */
export type Locate = (repository: Repository, name: string) => Promise<LineRange[]> | LineRange[];

/**
 * The definitions that contain these lines, in the version of the file with this blob hash. Undefined if unknown: then
 * the hunk header is used.
 */
export type SymbolsAt = (blob: string, first: number, last: number) => readonly string[] | undefined;

const MAX_DIFF_BYTES = 8 << 20;
const MAX_FILE_BYTES = 2 << 20;
const MAX_PLACES = 20;
const DIFF_TIMEOUT_MS = 20_000;

/** A line that defines a name, in common languages. */
const DEFINES =
  /^\s*(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|async|override|virtual|unsafe|pub(?:\([a-z]+\))?)\s+)*(?:function\*?|class|interface|type|enum|struct|trait|impl|def|fn|func|module|namespace|object|record|const|let|var|val|sub)\s+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]*)/;
/** `  name(args) {`, also with a type in front: a method. A line that ends after the arguments may be a call. */
const METHOD = /^\s+((?:[\w<>[\],.*&:]+\s+)*)([A-Za-z_$][\w$]*)\s*\([^;]*\)\s*([:{]|->|throws\b|$)/;
/** A line with one of these words in front is a statement: `else if (…) {`, `defer func() {`, `if ready(x):`. */
const STATEMENT_WORDS = new Set(
  "if elif else for while switch case when unless until catch except return function func do with await new throw raise match go defer select assert yield not in lambda".split(
    " ",
  ),
);

/** The name a line defines. */
export function definedName(line: string): string | undefined {
  const plain = DEFINES.exec(line)?.[1];
  if (plain !== undefined) return plain;
  const [, before = "", name = "", end = ""] = METHOD.exec(line) ?? [];
  const isCall = end === "" && before === "";
  if (name === "" || isCall || [...before.split(/\s+/), name].some((word) => STATEMENT_WORDS.has(word)))
    return undefined;
  return name;
}

/** The names of the definitions that each commit changed in a file, from a bounded diff. */
export async function symbolsPerCommit(
  repository: Repository,
  shas: readonly string[],
  names: readonly string[],
  symbolsAt?: SymbolsAt,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (shas.length === 0) return found;
  const shown = [
    "show",
    "-U0",
    "--full-index",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--format=%x00%H",
    "-M",
  ];
  let text = "";
  const chunks = gitChunks(repository.root, [...shown, ...shas, "--", ...names], {
    timeoutMs: DIFF_TIMEOUT_MS,
    maxBytes: MAX_DIFF_BYTES,
  });
  try {
    for await (const chunk of chunks) text += chunk.toString("utf8");
  } catch (error) {
    // An object is missing: the commits before it are still returned.
    if (!(error instanceof DexError) || error.code !== "git_failed") throw error;
  }
  for (const part of text.split("\0").slice(1)) {
    const sha = part.slice(0, part.indexOf("\n"));
    found.set(sha, namesInDiff(part, symbolsAt));
  }
  return found;
}

const MAX_NAMES = 12;
/** Only definitions at the outermost level and members of a class count: a local constant is not a symbol. */
const LOCAL = /^(?: {3,}|\s*\t\s)|^\s+(?:const|let|var|val|type)\b/;

export function namesInDiff(diff: string, symbolsAt?: SymbolsAt): string[] {
  const names = new Set<string>();
  let blob = "";
  let known = false;
  for (const line of diff.split("\n")) {
    if (names.size >= MAX_NAMES) break;
    blob = /^index [0-9a-f]+\.\.([0-9a-f]+)/.exec(line)?.[1] ?? blob;
    const [hunk, begin, count = "1", context = ""] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@ ?(.*)$/.exec(line) ?? [];
    if (hunk !== undefined) {
      const first = Number(begin);
      const within = symbolsAt?.(blob, first, first + Math.max(1, Number(count)) - 1);
      known = within !== undefined;
      for (const name of within ?? []) names.add(name);
    }
    const changed = /^[+-](?![+-]{2} )(.*)$/.exec(line)?.[1];
    // Added lines are covered by `symbolsAt`; deleted ones exist only in the text.
    if (known && !line.startsWith("-")) continue;
    const name = context
      ? (definedName(context) ?? definedName(`  ${context}`))
      : changed !== undefined && !LOCAL.test(changed)
        ? definedName(changed)
        : undefined;
    if (name !== undefined) names.add(name);
  }
  return [...names].slice(0, MAX_NAMES);
}

/** Searches for lines that define the name; the definition ends where the indentation returns. */
export const locateByText: Locate = async (repository, name) => {
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return [];
  const args = ["grep", "-n", "-z", "-I", "-w", "--no-color", "--untracked", "-F", "-e", name];
  const { text } = await git(repository.root, args, { allowedExitCodes: [1], maxBytes: 4 << 20 });
  const places: LineRange[] = [];
  for (const { file, line: first, content } of grepLines(text)) {
    if (definedName(content) !== name || places.length >= MAX_PLACES) continue;
    const lines = readContainedText(repository.root, file, MAX_FILE_BYTES)?.split("\n");
    if (lines) places.push({ file, first, last: blockEnd(lines, first) });
  }
  return places;
};

/** The last line (1-based) of the block that begins at this line. */
export function blockEnd(lines: readonly string[], first: number): number {
  const indent = indentOf(lines[first - 1] ?? "");
  let last = first;
  for (let at = first; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "") continue;
    const closes = /^\s*[)\]}]/.test(line);
    if (indentOf(line) > indent || (closes && indentOf(line) === indent)) last = at + 1;
    else break;
    if (closes && indentOf(line) === indent && !/[([{]\s*$/.test(line)) break;
  }
  return last;
}

/** Commits that changed these lines, the latest first, followed through the file's earlier versions by git. */
export async function commitsOfLines(repository: Repository, place: LineRange, limit: number): Promise<string[]> {
  const range = `-L${place.first},${place.last}:${place.file}`;
  const args = ["log", "--no-patch", "--no-ext-diff", "--no-textconv", "--format=%H", `--max-count=${limit}`, range];
  const { text } = await git(repository.root, args, { timeoutMs: DIFF_TIMEOUT_MS });
  return text.split("\n").filter((line) => /^[0-9a-f]{40,64}$/.test(line));
}
