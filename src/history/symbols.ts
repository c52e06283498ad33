/**
 * Functions and classes in a history, without a parser: git names the one that stands above each hunk, and the changed
 * lines name those that they define. Where a code graph is at hand it can give a symbol's lines instead (`Locate`).
 */

import { DexError } from "../kernel/errors.ts";
import { readContainedText } from "../kernel/files/bounded_read.ts";
import { git, gitChunks } from "./git.ts";
import { grepLines } from "./grep.ts";
import type { Repository } from "./repository.ts";

export interface Place {
  file: string;
  first: number;
  last: number;
}

/** Where a symbol is defined now: a code graph knows, `locateByText` looks for its definition. */
export type Locate = (repository: Repository, name: string) => Promise<Place[]> | Place[];

/**
 * What these lines of a file are in, when the file's content is this one, as git names it. Undefined: not known, and
 * the hunk's own head has to tell.
 */
export type SymbolsAt = (blob: string, first: number, last: number) => readonly string[] | undefined;

const MOST_DIFF = 8 << 20;
const MAX_FILE_BYTES = 2 << 20;
const MOST_PLACES = 20;
const DIFF_TIMEOUT = 20_000;

/** A definition on a line: what stands before its name, in the languages people use. */
const DEFINES =
  /^\s*(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|async|override|virtual|unsafe|pub(?:\([a-z]+\))?)\s+)*(?:function\*?|class|interface|type|enum|struct|trait|impl|def|fn|func|module|namespace|object|record|const|let|var|val|sub)\s+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]*)/;
/** `  name(args) {`, also with a type in front: a method. */
const METHOD = /^\s+(?:[\w<>[\],.*&:]+\s+)*([A-Za-z_$][\w$]*)\s*\([^;]*\)\s*(?:[:{]|->|throws\b|$)/;
const NO_METHOD = new Set("if for while switch catch return function else do with await new throw match".split(" "));

/** The name that a line defines. */
export function definedName(line: string): string | undefined {
  const plain = DEFINES.exec(line)?.[1];
  if (plain !== undefined) return plain;
  const method = METHOD.exec(line)?.[1];
  return method === undefined || NO_METHOD.has(method) ? undefined : method;
}

/** What each of the commits changed in a file, by name. Only hunks are read, and only so many bytes of them. */
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
    timeoutMs: DIFF_TIMEOUT,
    maxBytes: MOST_DIFF,
  });
  try {
    for await (const chunk of chunks) text += chunk.toString("utf8");
  } catch (error) {
    // An object is missing: the commits before it are told.
    if (!(error instanceof DexError) || error.code !== "git_failed") throw error;
  }
  for (const part of text.split("\0").slice(1)) {
    const sha = part.slice(0, part.indexOf("\n"));
    found.set(sha, namesInDiff(part, symbolsAt));
  }
  return found;
}

const MOST_NAMES = 12;

export function namesInDiff(diff: string, symbolsAt?: SymbolsAt): string[] {
  const names = new Set<string>();
  let blob = "";
  let known = false;
  for (const line of diff.split("\n")) {
    if (names.size >= MOST_NAMES) break;
    blob = /^index [0-9a-f]+\.\.([0-9a-f]+)/.exec(line)?.[1] ?? blob;
    const [hunk, begin, count = "1", context = ""] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@ ?(.*)$/.exec(line) ?? [];
    if (hunk !== undefined) {
      const first = Number(begin);
      const within = symbolsAt?.(blob, first, first + Math.max(1, Number(count)) - 1);
      known = within !== undefined;
      for (const name of within ?? []) names.add(name);
    }
    const changed = /^[+-](?![+-]{2} )(.*)$/.exec(line)?.[1];
    // What was added is in the lines that are known; what was deleted only the text has.
    if (known && !line.startsWith("-")) continue;
    // Of changed lines only what is defined at the outermost level: a local constant is no symbol.
    const name = context
      ? (definedName(context) ?? definedName(`  ${context}`))
      : changed !== undefined && !/^\s{3,}/.test(changed)
        ? definedName(changed)
        : undefined;
    if (name !== undefined) names.add(name);
  }
  return [...names].slice(0, MOST_NAMES);
}

/** Looks for lines that define the name; its end is where the indentation comes back. */
export const locateByText: Locate = async (repository, name) => {
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return [];
  const args = ["grep", "-n", "-z", "-I", "-w", "--no-color", "--untracked", "-F", "-e", name];
  const { text } = await git(repository.root, args, { fine: [1], maxBytes: 4 << 20 });
  const places: Place[] = [];
  for (const { file, line: first, content } of grepLines(text)) {
    if (definedName(content) !== name || places.length >= MOST_PLACES) continue;
    const lines = readContainedText(repository.root, file, MAX_FILE_BYTES)?.split("\n");
    if (lines) places.push({ file, first, last: blockEnd(lines, first) });
  }
  return places;
};

/** The last line (from 1) of what begins at this line. */
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

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Commits that changed these lines, the latest first, followed through the file's earlier versions by git. */
export async function commitsOfLines(repository: Repository, place: Place, limit: number): Promise<string[]> {
  const range = `-L${place.first},${place.last}:${place.file}`;
  const args = ["log", "--no-patch", "--no-ext-diff", "--no-textconv", "--format=%H", `--max-count=${limit}`, range];
  const { text } = await git(repository.root, args, { timeoutMs: DIFF_TIMEOUT });
  return text.split("\n").filter((line) => /^[0-9a-f]{40,64}$/.test(line));
}
