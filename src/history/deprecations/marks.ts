/**
 * Finds deprecation marks in the code, in the forms of each language, and names what each of them marks by reading the
 * text. A code graph, if there is one, names it more surely and shows its uses (`src/project/deprecations/deprecations.ts`).
 */
import { readContainedText } from "../../kernel/files/bounded_read.ts";
import { redactLines } from "../../redact/lines.ts";
import { indentOf } from "../../text/indent.ts";
import { git } from "../git.ts";
import { grepLines } from "../grep.ts";
import type { Repository } from "../repository.ts";
import { declaredAt, isSkippable } from "./declarations.ts";

export interface DeprecationMark {
  file: string;
  /** The line of the mark. */
  line: number;
  message: string;
  /** A warning that code raises at run time, about the code around it. */
  raised: boolean;
  /** The lines of the file. */
  lines: readonly string[];
}

export interface MarkedName {
  name: string;
  /** A declaration inside another one: a field, a method, an entry of an enumeration. */
  member: boolean;
}

const PATTERN =
  "@([A-Za-z_]+\\.)*[Dd]eprecated|DeprecationWarning|#\\[deprecated|\\[(System\\.)?Obsolete|(//|#|\\*|--) ?Deprecated: |__deprecated";
const MAX_OUTPUT_BYTES = 4 << 20;
const MAX_MARKS = 3000;
const MAX_FILE_BYTES = 2 << 20;
const MAX_MESSAGE_CHARS = 300;
/** Third-party code in the repository. */
const FOREIGN = /(?:^|\/)(?:node_modules|vendor|third_party|bower_components|dist|build)\/|\.min\.\w+$/;
const NO_CODE =
  /\.(?:md|markdown|mdx|txt|rst|adoc|json|ya?ml|lock|svg|html?|csv|map)$|(?:^|\/)(?:CHANGELOG|CHANGES|HISTORY)\b/i;

export async function findMarks(repository: Repository): Promise<DeprecationMark[]> {
  if (!repository.git) return [];
  const args = ["grep", "-n", "-z", "-I", "-E", "--no-color", "--untracked", "-e", PATTERN];
  const { text } = await git(repository.root, args, { allowedExitCodes: [1], maxBytes: MAX_OUTPUT_BYTES });
  const files = new Map<string, string[] | undefined>();
  const found: DeprecationMark[] = [];
  for (const { file, line, content } of grepLines(text)) {
    if (NO_CODE.test(file) || FOREIGN.test(file) || found.length >= MAX_MARKS || content.length > 2000) continue;
    if (!isMark(content)) continue;
    if (!files.has(file)) files.set(file, linesOf(repository, file));
    const lines = files.get(file);
    if (!lines) continue;
    const raised = /DeprecationWarning/.test(content);
    found.push({ file, line, message: messageOf(lines, line), raised, lines });
  }
  return found;
}

/** False for a string or an expression that only mentions deprecation. */
export function isMark(line: string): boolean {
  if (/DeprecationWarning/.test(line))
    return /\bwarn\w*\(.*DeprecationWarning|^\s*(?:category=)?(?:Pending)?DeprecationWarning\s*,?/.test(line);
  if (/^\s*(?:#\[deprecated|\[(?:System\.)?Obsolete)/.test(line)) return true;
  if (/^\s*@Deprecated\b/.test(line)) return true;
  if (/^\s*(?:\/\*\*?|\*|\/\/\/?|#|--)?\s*@deprecated\b/.test(line)) return true;
  if (/^\s*(?:\/\/+|#|\*|--)\s?Deprecated: /.test(line)) return true;
  return /^\s*@(?:\w+\.)*deprecated(?:_(?:function|method|class))?\(|^\s*__deprecated|\/\*\*\s*@deprecated\b/.test(
    line,
  );
}

/** Names the marked declaration by the text: the one after the mark; for a raised warning, the function around it. */
export function markedName(mark: Pick<DeprecationMark, "lines" | "line" | "raised">): MarkedName | undefined {
  const { lines, line, raised } = mark;
  if (!raised) return declaredAfter(lines, line);
  const at = raisingFunction(lines, line);
  if (at === undefined) return undefined;
  const found = declaredAt(lines, at);
  if (!found) return undefined;
  // A constructor that warns is about its class; other special methods warn about some uses only.
  if (!/^__\w+__$/.test(found.name)) return found;
  const around = found.name === "__init__" ? enclosing(lines, at, /^\s*class\s/) : undefined;
  return around === undefined ? undefined : declaredAt(lines, around);
}

function declaredAfter(lines: readonly string[], line: number): MarkedName | undefined {
  const at = declarationAfter(lines, line);
  return at === undefined ? undefined : declaredAt(lines, at);
}

/** Lines from a mark to its declaration. */
const MAX_MARK_DISTANCE = 60;

/** The line of the declaration that a mark precedes, after the rest of its comment and other annotations. */
export function declarationAfter(lines: readonly string[], line: number): number | undefined {
  const rest = (lines[line - 1] ?? "").replace(/^\s*(?:\/\*.*?\*\/|\[[^\]]*\]|#\[.*?\]|@[\w.]+(?:\([^()]*\))?)\s*/, "");
  const first = lines[line - 1] ?? "";
  if (rest !== first && /^\s*[^\s(]/.test(rest) && !isSkippable(rest)) return line;
  const end = Math.min(lines.length, line + MAX_MARK_DISTANCE);
  // The arguments of an annotation may go on over lines.
  let depth = /^\s*(?:\*|\/)/.test(first) ? 0 : depthOf(first);
  for (let at = line; at < end; at += 1) {
    const text = lines[at] ?? "";
    if (depth > 0) depth += depthOf(text);
    else if (!isSkippable(text)) return at + 1;
    else if (/^\s*(?:@|#\[|\[)/.test(text)) depth += depthOf(text);
  }
  return undefined;
}

function depthOf(text: string): number {
  let depth = 0;
  for (const char of text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "")) {
    if (char === "(" || char === "[" || char === "{") depth += 1;
    if (char === ")" || char === "]" || char === "}") depth -= 1;
  }
  return depth;
}

/**
 * The function that warns on every call: the warning is a statement directly in its body. Under a condition, the
 * warning is only about one way to call the function.
 */
export function raisingFunction(lines: readonly string[], line: number): number | undefined {
  let at = line;
  while (at > Math.max(1, line - 10) && !/\bwarn\w*\(/.test(lines[at - 1] ?? "")) at -= 1;
  const around = enclosing(lines, at, /\S/);
  if (around === undefined) return undefined;
  const isDefinition = (text: string): boolean => /^\s*(?:async\s+)?def\s/.test(text);
  if (isDefinition(lines[around - 1] ?? "")) return around;
  // The last line of a head that wraps has the indentation of its first.
  if (!/^\s*\)/.test(lines[around - 1] ?? "")) return undefined;
  const indent = indentOf(lines[around - 1] ?? "");
  const head = lines.slice(0, around - 1).findLastIndex((text) => text.trim() !== "" && indentOf(text) <= indent);
  return head >= 0 && isDefinition(lines[head] ?? "") ? head + 1 : undefined;
}

/** The nearest line above with less indentation that fits. */
function enclosing(lines: readonly string[], line: number, fits: RegExp): number | undefined {
  let indent = indentOf(lines[line - 1] ?? "");
  for (let at = line - 1; at >= Math.max(1, line - 400); at -= 1) {
    const text = lines[at - 1] ?? "";
    if (text.trim() === "" || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    if (fits.test(text)) return at;
  }
  return undefined;
}

/** The text of the mark, and the rest of its sentence in the same comment. */
function messageOf(lines: readonly string[], line: number): string {
  const text = (lines[line - 1] ?? "").trim();
  const quoted = /(?:note\s*=\s*|Obsolete\(|warn\w*\(\s*f?|deprecated\(\s*)["']([^"']+)["']/.exec(text)?.[1];
  if (quoted !== undefined) return quoted.slice(0, MAX_MESSAGE_CHARS);
  let message = /(?:@deprecated\b|[Dd]eprecated:)\s*(.*?)(?:\s*\*\/.*)?$/.exec(text)?.[1] ?? "";
  if (!/\*\//.test(text) && /^(?:\*|\/\*|\/\/|#)/.test(text)) {
    for (let at = line; at < lines.length && message.length < MAX_MESSAGE_CHARS; at += 1) {
      const next = /^\s*(?:\*(?!\/)|\/\/+|#)\s?(.*?)(?:\s*\*\/)?$/.exec(lines[at] ?? "")?.[1]?.trim() ?? "";
      if (next === "" || next.startsWith("@")) break;
      message += ` ${next}`;
      if (/\*\/\s*$/.test(lines[at] ?? "")) break;
    }
  }
  return message.replace(/^[:\s]+/, "").slice(0, MAX_MESSAGE_CHARS);
}

function linesOf(repository: Repository, file: string): string[] | undefined {
  const text = readContainedText(repository.root, file, MAX_FILE_BYTES);
  return text === undefined ? undefined : redactLines(text);
}

const MAX_NAMES = 500;
const MAX_READ_CHARS = 256 << 20;
const WORD = /[A-Za-z_$][\w$]*/g;

/**
 * Files that contain a name as a word. Git lists the candidate files, and the words are matched here: listing every
 * match takes git minutes on a one-line bundle.
 */
export async function filesNaming(repository: Repository, names: readonly string[]): Promise<Map<string, string[]>> {
  const wanted = new Set([...new Set(names)].filter((name) => /^[A-Za-z_$][\w$]*$/.test(name)).slice(0, MAX_NAMES));
  const found = new Map<string, string[]>();
  if (wanted.size === 0) return found;
  const patterns = [...wanted].flatMap((name) => ["-e", name]);
  const args = ["grep", "-l", "-z", "-I", "-F", "--no-color", "--untracked", ...patterns];
  const { text } = await git(repository.root, args, { allowedExitCodes: [1], maxBytes: MAX_OUTPUT_BYTES });
  let read = 0;
  for (const file of text
    .split("\0")
    .filter((path) => path !== "" && !NO_CODE.test(path))
    .sort()) {
    const content = readContainedText(repository.root, file, MAX_FILE_BYTES) ?? "";
    read += content.length;
    if (read > MAX_READ_CHARS) break;
    const here = new Set<string>();
    for (const [word] of content.matchAll(WORD)) if (wanted.has(word)) here.add(word);
    for (const word of here) found.set(word, [...(found.get(word) ?? []), file]);
  }
  return found;
}
