/**
 * Lines that contain a symbol's name. dex offers them next to the resolved references: a call that only a run can
 * determine is not in the graph, and then "no callers" alone would be wrong.
 */
import { git } from "../../history/git.ts";
import { grepLines } from "../../history/grep.ts";
import { DexError } from "../../kernel/errors.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";

const MAX_MENTIONS = 20;
const MAX_OUTPUT_BYTES = 1 << 20;
const TIMEOUT_MS = 5000;

export interface Place {
  file: string;
  line: number;
}

export interface TextMentions {
  /** In the files that dex indexed. */
  mentioned: Place[];
  mentioned_total: number;
}

/** Outside the definitions themselves. Undefined without git, and for a name that is not one word. */
export async function textMentions(
  root: string,
  store: CodeReader,
  symbols: readonly EntityRow[],
): Promise<TextMentions | undefined> {
  return mentionsWhere(root, store, symbols, (place) => !symbols.some((each) => isInside(each, place)));
}

/** On lines that no reference covers, and outside the first line of the definitions. */
export async function furtherMentions(
  root: string,
  store: CodeReader,
  symbols: readonly EntityRow[],
  covered: ReadonlySet<string>,
): Promise<TextMentions | undefined> {
  const heads = new Set(symbols.map(({ path, first_line }) => placeKey({ file: path, line: first_line })));
  return mentionsWhere(root, store, symbols, (place) => !covered.has(placeKey(place)) && !heads.has(placeKey(place)));
}

export function placeKey({ file, line }: Place): string {
  return `${file}:${line}`;
}

async function mentionsWhere(
  root: string,
  store: CodeReader,
  symbols: readonly EntityRow[],
  matches: (place: Place) => boolean,
): Promise<TextMentions | undefined> {
  const found = await placesOf(root, store, symbols[0]?.name ?? "");
  const wanted = found?.filter(matches);
  return wanted && { mentioned: wanted.slice(0, MAX_MENTIONS), mentioned_total: wanted.length };
}

/** Every line of the indexed files with the name as a word. */
export async function placesOf(root: string, store: CodeReader, name: string): Promise<Place[] | undefined> {
  if (!/^[\w$]+[?!]?$/.test(name)) return undefined;
  const output = await matchingLines(root, name);
  if (output === undefined) return undefined;
  const places: Place[] = [];
  for (const { file, line } of grepLines(output)) if (store.file(file) !== undefined) places.push({ file, line });
  return places;
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
