/**
 * Finds lines that contain a symbol's name. dex shows them next to the resolved references: the graph lacks calls that
 * are determined at run time, so "no callers" alone could be wrong.
 */
import { git } from "../../history/git.ts";
import { grepLines } from "../../history/grep.ts";
import { DexError } from "../../kernel/errors.ts";
import type { CodeReader, EntityRow, Relation } from "../../store/code.ts";
import { patternFor } from "../../text/patterns.ts";

const MAX_MENTIONS = 20;
const MAX_OUTPUT_BYTES = 1 << 20;
/** Characters after a name. */
const MAX_ARGUMENTS_LOOK = 90;
const TIMEOUT_MS = 5000;

export interface Place {
  file: string;
  line: number;
}

interface MatchedLine extends Place {
  content: string;
}

export interface TextMentions {
  /** In the files that dex indexed. */
  mentioned: Place[];
  mentioned_total: number;
}

/** Lines outside the definitions themselves. Undefined without git, and for a name that is not a single word. */
export async function textMentions(
  root: string,
  store: CodeReader,
  symbols: readonly EntityRow[],
): Promise<TextMentions | undefined> {
  return mentionsWhere(root, store, symbols, (place) => !symbols.some((each) => isInside(each, place)));
}

/** Lines without a known reference, and outside the first line of the definitions. */
export async function furtherMentions(
  root: string,
  store: CodeReader,
  symbols: readonly EntityRow[],
  covered: ReadonlySet<string>,
): Promise<TextMentions | undefined> {
  const heads = new Set(symbols.map(({ path, first_line }) => placeKey({ file: path, line: first_line })));
  return mentionsWhere(root, store, symbols, (place) => !covered.has(placeKey(place)) && !heads.has(placeKey(place)));
}

const USES: readonly Relation[] = ["CALLS", "READS", "WRITES", "USES_TYPE", "NAMES", "EXTENDS", "IMPLEMENTS", "TESTS"];

/** Lines that look like calls of the name, and that no edge of the graph with this name explains. */
export async function unexplainedCalls(
  root: string,
  store: CodeReader,
  symbols: readonly EntityRow[],
): Promise<TextMentions | undefined> {
  const name = symbols[0]?.name ?? "";
  const named = store.named(name);
  const covered = new Set<string>();
  for (const { no } of named)
    for (const { entity, edge } of store.incoming(no, USES))
      for (const line of edge.lines ?? [edge.line]) covered.add(placeKey({ file: entity.path, line }));
  const defined = new Set<number>();
  return mentionsWhere(root, store, symbols, (place) => {
    if (covered.has(placeKey(place)) || !looksLikeCall(place, name, store.file(place.file)?.language)) return false;
    // The first line with the name inside a definition of that name is its head.
    const head = named.find((each) => !defined.has(each.no) && isInside(each, place));
    if (head) defined.add(head.no);
    return head === undefined;
  });
}

/** Languages in which a method may be called without parentheses. */
const PARENTHESES_OPTIONAL: ReadonlySet<string> = new Set(["ruby", "scala"]);
const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!\[)|--|;)/;
const ARGUMENTS = /^(?:\(|\?\.\(|!\s?[([{]|(?:::)?<[^()]{0,80}>\(|\s\(|\s?[{`])/;

/** Languages that declare a function without its body: `int parse(const char *text);`. */
const DECLARES: ReadonlySet<string> = new Set(["c", "cpp"]);
/** A type before the name; a keyword begins a statement. */
const TYPE_BEFORE =
  /^\s*(?!(?:return|else|do|case|goto|throw|delete|new|co_\w+)\b)(?:[A-Za-z_][\w:]*(?:<[^<>()]{0,80}>)?[\s*&]+)+$/;

function looksLikeCall({ content }: MatchedLine, name: string, language: string | undefined): boolean {
  if (language === undefined || language === "document" || COMMENT.test(content)) return false;
  for (let at = content.indexOf(name); at >= 0; at = content.indexOf(name, at + name.length)) {
    const before = content[at - 1] ?? " ";
    const after = content.slice(at + name.length, at + name.length + MAX_ARGUMENTS_LOOK);
    if (/[\w$]/.test(before) || /^[\w$]/.test(after)) continue;
    if (DECLARES.has(language) && TYPE_BEFORE.test(content.slice(0, at))) continue;
    if (ARGUMENTS.test(after) || (before === "." && PARENTHESES_OPTIONAL.has(language))) return true;
  }
  return false;
}

export function placeKey({ file, line }: Place): string {
  return `${file}:${line}`;
}

async function mentionsWhere(
  root: string,
  store: CodeReader,
  symbols: readonly EntityRow[],
  matches: (place: MatchedLine) => boolean,
): Promise<TextMentions | undefined> {
  const found = await placesOf(root, store, symbols[0]?.name ?? "");
  const wanted = found?.filter(matches).map(({ file, line }) => ({ file, line }));
  return wanted && { mentioned: wanted.slice(0, MAX_MENTIONS), mentioned_total: wanted.length };
}

/** Every line of the indexed files with the name as a word. */
export async function placesOf(root: string, store: CodeReader, name: string): Promise<MatchedLine[] | undefined> {
  return (await allPlaces(root, name))?.filter(({ file }) => store.file(file) !== undefined);
}

/** The same in files that dex left out, each with the reason. */
export async function placesLeftOut(
  root: string,
  store: CodeReader,
  name: string,
): Promise<(Place & { reason: string })[]> {
  const reasons = new Map(store.skipped().map(({ path, reason }) => [path, reason]));
  if (reasons.size === 0) return [];
  return ((await allPlaces(root, name)) ?? []).flatMap(({ file, line }) => {
    const reason = reasons.get(file);
    return reason === undefined ? [] : [{ file, line, reason }];
  });
}

/** Any letter may be part of a name: `größe`. */
const NAME = patternFor(String.raw`^[\p{L}\p{M}\p{N}_$]+[?!]?$`);

async function allPlaces(root: string, name: string): Promise<MatchedLine[] | undefined> {
  const output = NAME(name).test(name) ? await matchingLines(root, name) : undefined;
  return output === undefined ? undefined : [...grepLines(output)];
}

function isInside({ path, first_line, last_line }: EntityRow, { file, line }: Place): boolean {
  return file === path && first_line <= line && line <= last_line;
}

async function matchingLines(root: string, name: string): Promise<string | undefined> {
  try {
    const args = ["grep", "-n", "-z", "-I", "-w", "-F", "--no-color", "--untracked", "-e", name];
    const options = { allowedExitCodes: [1], maxBytes: MAX_OUTPUT_BYTES, timeoutMs: TIMEOUT_MS };
    return (await git(root, args, options)).text;
  } catch (error) {
    // Not a git repository, or too large to search in time.
    if (error instanceof DexError) return undefined;
    throw error;
  }
}
