/** The changed files of a diff: both texts of each, and the lines that differ. */
import { languageOf } from "../../code/languages/registry.ts";
import { MAX_BYTES } from "../../code/listing/skip.ts";
import { git } from "../../history/git.ts";
import { DexError } from "../../kernel/errors.ts";
import { readContainedText } from "../../kernel/files/bounded_read.ts";

export interface LineSpan {
  first: number;
  last: number;
}

export interface ChangedFile {
  /** The path on the new side; of a deleted file, on the old one. */
  path: string;
  /** Before a rename. */
  oldPath: string;
  /** Undefined: the file does not exist on this side. */
  oldText: string | undefined;
  newText: string | undefined;
  oldLines: LineSpan[];
  newLines: LineSpan[];
}

const MAX_FILES = 300;
const MAX_DIFF_BYTES = 32 << 20;
const MAX_LIST_BYTES = 4 << 20;
const REVISION = /^(?!-)[\w./@{}^~+-]{1,200}$/;

export interface ChangedFiles {
  files: ChangedFile[];
  /** Changed code files that were left out because there are more than dex compares. */
  omitted: number;
}

/**
 * Without a range: everything that differs from the last commit, including untracked files. `a..b` compares two
 * commits, `a...b` the second one with their merge base, and a single commit is compared with the working tree.
 */
export async function changedFiles(root: string, range: string | undefined): Promise<ChangedFiles> {
  const { from, to } = await sides(root, range);
  const found = from === undefined ? await present(root, ["--cached", "--others"]) : await differing(root, from, to);
  const code = found.filter(({ path, oldPath }) => isCode(path) || isCode(oldPath));
  const files: ChangedFile[] = [];
  for (const each of code.slice(0, MAX_FILES)) {
    const oldText = each.isNew ? undefined : await textAt(root, from, each.oldPath);
    const newText = each.isDeleted ? undefined : await textAt(root, to, each.path);
    const { path, oldPath, oldLines, newLines } = each;
    files.push({ path, oldPath, oldText, newText, oldLines, newLines });
  }
  return { files, omitted: Math.max(0, code.length - MAX_FILES) };
}

async function differing(root: string, from: string, to: string | undefined): Promise<DiffEntry[]> {
  const shown = ["diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/"];
  const args = [...shown, "-M", from, ...(to === undefined ? [] : [to]), "--"];
  const { text } = await git(root, args, { maxBytes: MAX_DIFF_BYTES });
  const found = parseDiff(text);
  return to === undefined ? [...found, ...(await present(root, ["--others"]))] : found;
}

function isCode(path: string): boolean {
  const language = languageOf(path);
  return language !== undefined && language !== "config" && language !== "document";
}

/** `from` is undefined if the repository has no commit yet. */
async function sides(
  root: string,
  range: string | undefined,
): Promise<{ from: string | undefined; to: string | undefined }> {
  if (range === undefined && !(await isCommit(root, "HEAD"))) return { from: undefined, to: undefined };
  const [from = "HEAD", to] = range === undefined ? [] : range.split(/\.{2,3}/, 2);
  const named = { from: from === "" ? "HEAD" : from, to: to === undefined ? undefined : to === "" ? "HEAD" : to };
  for (const side of [named.from, named.to]) if (side !== undefined) await commitOf(root, side);
  if (!range?.includes("...") || named.to === undefined) return named;
  const base = await git(root, ["merge-base", named.from, named.to]);
  return { from: base.text.trim(), to: named.to };
}

async function isCommit(root: string, revision: string): Promise<boolean> {
  if (!REVISION.test(revision)) return false;
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  return (await git(root, args, { allowedExitCodes: [1, 128] })).text.trim() !== "";
}

async function commitOf(root: string, revision: string): Promise<void> {
  if (await isCommit(root, revision)) return;
  throw new DexError("bad_range", `"${revision}" is not a commit of this repository.`, {
    hint: "Name a range such as `main..HEAD`, or leave it out to compare the working tree with the last commit.",
  });
}

/** The text of a file in a commit, or in the working tree. */
async function textAt(root: string, revision: string | undefined, path: string): Promise<string | undefined> {
  if (revision === undefined) return readContainedText(root, path, MAX_BYTES);
  const { text, truncated } = await git(root, ["cat-file", "blob", `${revision}:${path}`], { maxBytes: MAX_BYTES });
  return truncated ? undefined : text;
}

interface DiffEntry extends Omit<ChangedFile, "oldText" | "newText"> {
  isNew: boolean;
  isDeleted: boolean;
}

/** Reports files of the working tree as new ones. */
async function present(root: string, which: readonly string[]): Promise<DiffEntry[]> {
  const { text } = await git(root, ["ls-files", "-z", ...which, "--exclude-standard"], { maxBytes: MAX_LIST_BYTES });
  return text
    .split("\0")
    .filter((path) => path !== "")
    .map((path) => {
      const newLines = [{ first: 1, last: Number.MAX_SAFE_INTEGER }];
      return { path, oldPath: path, isNew: true, isDeleted: false, oldLines: [], newLines };
    });
}

/** Reads `git diff -U0`. A file whose name git quotes (control characters) is left out. */
export function parseDiff(text: string): DiffEntry[] {
  const entries: DiffEntry[] = [];
  let entry: DiffEntry | undefined;
  let inHunks = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("diff --git ")) {
      entry = { path: "", oldPath: "", isNew: false, isDeleted: false, oldLines: [], newLines: [] };
      entries.push(entry);
      inHunks = false;
    } else if (!entry) {
      // Text before the first file.
    } else if (line.startsWith("@@ ")) {
      inHunks = true;
      const [, a, b = "1", c, d = "1"] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
      if (Number(b) > 0) entry.oldLines.push({ first: Number(a), last: Number(a) + Number(b) - 1 });
      if (Number(d) > 0) entry.newLines.push({ first: Number(c), last: Number(c) + Number(d) - 1 });
    } else if (!inHunks) {
      readHeader(entry, line);
    }
  }
  return entries.filter(({ path, oldPath }) => path !== "" && oldPath !== "");
}

function readHeader(entry: DiffEntry, line: string): void {
  const [, old] = /^(?:--- a\/|rename from )(.+)$/.exec(line) ?? [];
  const [, now] = /^(?:\+\+\+ b\/|rename to )(.+)$/.exec(line) ?? [];
  if (old !== undefined) entry.oldPath = old.replace(/\t$/, "");
  if (now !== undefined) entry.path = now.replace(/\t$/, "");
  if (line === "--- /dev/null") entry.isNew = true;
  if (line === "+++ /dev/null") entry.isDeleted = true;
  if (entry.path === "" && entry.isDeleted) entry.path = entry.oldPath;
  if (entry.isNew && entry.path !== "") entry.oldPath = entry.path;
}
