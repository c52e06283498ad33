/**
 * Finds deprecation marks in the code, in the forms of each language, and the files that contain the deprecated names. A
 * name in a file does not prove a use: a code graph, if there is one, is more precise (`UsersOf`).
 */
import { readContainedText } from "../kernel/files/bounded_read.ts";
import { redactLines } from "../redact/lines.ts";
import { redactText } from "../redact/redact.ts";
import { git } from "./git.ts";
import { grepLines } from "./grep.ts";
import type { Repository } from "./repository.ts";
import { definedName } from "./symbols.ts";

export interface Deprecation {
  /** Undefined if no definition follows the mark. */
  symbol: string | undefined;
  file: string;
  line: number;
  message: string;
}

/** The files that use each name. */
export type UsersOf = (repository: Repository, names: readonly string[]) => Promise<Map<string, string[]>>;

const PATTERN =
  "@[Dd]eprecated|DeprecationWarning|#\\[deprecated|\\[(System\\.)?Obsolete|(//|#|\\*|--) ?Deprecated: |__deprecated";
const MAX_OUTPUT_BYTES = 4 << 20;
const MAX_DEPRECATIONS = 1000;
const MAX_FILE_BYTES = 2 << 20;
/** Lines from a mark to its definition. */
const MAX_MARK_DISTANCE = 15;
const NO_CODE =
  /\.(?:md|markdown|mdx|txt|rst|adoc|json|ya?ml|lock|svg|html?|csv|map)$|(?:^|\/)(?:CHANGELOG|CHANGES|HISTORY)\b/i;

export async function findDeprecations(repository: Repository): Promise<Deprecation[]> {
  if (!repository.git) return [];
  const args = ["grep", "-n", "-z", "-I", "-E", "--no-color", "--untracked", "-e", PATTERN];
  const { text } = await git(repository.root, args, { allowedExitCodes: [1], maxBytes: MAX_OUTPUT_BYTES });
  const files = new Map<string, string[] | undefined>();
  const found: Deprecation[] = [];
  for (const { file, line, content } of grepLines(text)) {
    if (NO_CODE.test(file) || found.length >= MAX_DEPRECATIONS || content.length > 2000) continue;
    if (!isMark(content)) continue;
    if (!files.has(file)) files.set(file, linesOf(repository, file));
    const lines = files.get(file);
    if (!lines) continue;
    found.push({ file: redactText(file).text, line, symbol: symbolAt(lines, line), message: messageOf(lines, line) });
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
  return /^\s*@\w*deprecated\w*\(|^\s*__deprecated|\/\*\*\s*@deprecated\b/.test(line);
}

/** The definition after the mark; for a raised warning, the definition around it. */
export function symbolAt(lines: readonly string[], line: number): string | undefined {
  const mark = lines[line - 1] ?? "";
  if (/DeprecationWarning/.test(mark)) {
    const indent = mark.length - mark.trimStart().length;
    for (let at = line - 2; at >= Math.max(0, line - 200); at -= 1) {
      const above = lines[at] ?? "";
      if (/^\s*(?:async\s+)?(?:def|class)\s/.test(above) && above.length - above.trimStart().length < indent) {
        return definedName(above.replace(/^\s*async\s+/, ""));
      }
    }
    return undefined;
  }
  for (let at = line - 1; at < Math.min(lines.length, line + MAX_MARK_DISTANCE); at += 1) {
    const text = (lines[at] ?? "").replace(/^.*\*\/\s*/, "").replace(/^\s*#?\[[^\]]*\]\s*/, "");
    if (at >= line && text.trim() === "") continue;
    if (/^\s*(?:\/\/|\/\*|\*|#(?!\[)|--|@)/.test(text)) continue;
    const name =
      definedName(text) ?? /^\s+(?:readonly\s+|static\s+|public\s+)*([A-Za-z_$][\w$]*)\??\s*[:(=<]/.exec(text)?.[1];
    if (name !== undefined) return name;
    if (at >= line && !/^\s*[)\]},]/.test(text)) return undefined;
  }
  return undefined;
}

function messageOf(lines: readonly string[], line: number): string {
  const text = (lines[line - 1] ?? "").trim();
  const quoted = /(?:note\s*=\s*|Obsolete\(|warn\w*\(\s*f?|deprecated\(\s*)["']([^"']+)["']/.exec(text)?.[1];
  const message = quoted ?? /(?:@deprecated|Deprecated:)\s*(.*?)(?:\s*\*\/)?$/i.exec(text)?.[1] ?? "";
  return message.replace(/^[:\s]+/, "").slice(0, 300);
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
export const usersByText: UsersOf = async (repository, names) => {
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
    const shown = redactText(file).text;
    for (const word of here) found.set(word, [...(found.get(word) ?? []), shown]);
  }
  return found;
};
