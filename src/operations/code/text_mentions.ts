/**
 * Lines that contain a symbol's name. dex offers them when the graph knows no callers: a call that only a run can
 * determine is not in the graph, and then "no callers" alone would be wrong.
 */
import { git } from "../../history/git.ts";
import { grepLines } from "../../history/grep.ts";
import { DexError } from "../../kernel/errors.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";

const MAX_MENTIONS = 20;
const MAX_OUTPUT_BYTES = 1 << 20;
const TIMEOUT_MS = 5000;

export interface TextMentions {
  /** In the files that dex indexed, outside the definitions themselves. */
  mentioned: { file: string; line: number }[];
  mentioned_total: number;
}

/** Undefined without git, and for a name that is not one word. */
export async function textMentions(
  root: string,
  store: CodeReader,
  symbols: readonly EntityRow[],
): Promise<TextMentions | undefined> {
  const name = symbols[0]?.name ?? "";
  if (!/^[\w$]+[?!]?$/.test(name)) return undefined;
  const output = await matchingLines(root, name);
  if (output === undefined) return undefined;
  const found = [...grepLines(output)]
    .filter(({ file, line }) => store.file(file) !== undefined && !symbols.some((each) => isInside(each, file, line)))
    .map(({ file, line }) => ({ file, line }));
  return { mentioned: found.slice(0, MAX_MENTIONS), mentioned_total: found.length };
}

function isInside({ path, first_line, last_line }: EntityRow, file: string, line: number): boolean {
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
