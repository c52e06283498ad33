/** The changed lines of commits, read from git in one run for several commits and kept while a replay runs. */
import { git } from "../../history/git.ts";
import { DexError } from "../../kernel/errors.ts";

export interface Diff {
  /** Changed lines, by file, as the ranges before and after the commit. */
  ranges: ReadonlyMap<string, { before: Range[]; after: Range[] }>;
  /** All changed lines. */
  text: string;
}

export type Range = readonly [first: number, last: number];

const MAX_BYTES = 16 << 20;
const MAX_DIFF_CHARS = 400_000;
const MAX_KEPT = 300;
const ARGS = ["log", "--no-walk=unsorted", "--format=%x00%H", "-p", "-U0", "--no-color", "--no-ext-diff"];
const EXACT = ["--no-textconv", "--no-renames", "--no-show-signature", "--end-of-options"];

export class Diffs {
  readonly #folder: string;
  readonly #known = new Map<string, Diff | undefined>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads these commits, unless they are known. A commit that git cannot show has no diff. */
  async load(shas: readonly string[]): Promise<void> {
    const wanted = [...new Set(shas)].filter((sha) => /^[0-9a-f]{40,64}$/.test(sha) && !this.#known.has(sha));
    if (wanted.length === 0) return;
    if (this.#known.size + wanted.length > MAX_KEPT) this.#known.clear();
    for (const sha of wanted) this.#known.set(sha, undefined);
    try {
      const { text } = await git(this.#folder, [...ARGS, ...EXACT, ...wanted], { maxBytes: MAX_BYTES });
      for (const each of text.split("\0").slice(1)) {
        const end = each.indexOf("\n");
        this.#known.set(each.slice(0, end), parseDiff(each.slice(end + 1, end + 1 + MAX_DIFF_CHARS)));
      }
    } catch (error) {
      if (!(error instanceof DexError)) throw error;
    }
  }

  of(sha: string): Diff | undefined {
    return this.#known.get(sha);
  }
}

function parseDiff(text: string): Diff {
  const ranges = new Map<string, { before: Range[]; after: Range[] }>();
  const changed: string[] = [];
  let file = "";
  for (const line of text.split("\n")) {
    const [, path] = /^diff --git a\/(.+) b\/.+$/.exec(line) ?? [];
    if (path !== undefined) file = path;
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk) {
      const entry = ranges.get(file) ?? { before: [], after: [] };
      entry.before.push(rangeOf(hunk[1], hunk[2]));
      entry.after.push(rangeOf(hunk[3], hunk[4]));
      ranges.set(file, entry);
    } else if (/^[+-](?![+-])/.test(line)) changed.push(line.slice(1));
  }
  return { ranges, text: changed.join("\n") };
}

function rangeOf(first: string | undefined, count: string | undefined): Range {
  const start = Number(first);
  return [start, start + Math.max(0, Number(count ?? 1) - 1)];
}
