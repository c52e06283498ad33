/** Finds the commit of each line of a file, in the working tree, as git blames it. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DexError } from "../../kernel/errors.ts";
import { containedPath, readContainedText } from "../../kernel/files/bounded_read.ts";
import { plural } from "../../kernel/text.ts";
import { redactLines } from "../../redact/lines.ts";
import { redactText } from "../../redact/redact.ts";
import { type GitAnswer, git, gitChunks } from "../git.ts";
import { ofOtherRepository, type Repository } from "../repository.ts";

export interface BlamedLine {
  /** Undefined: not committed yet. */
  sha: string | undefined;
  line: number;
  /** The line number and file name in that commit. */
  original_line: number;
  original_path: string;
  text: string;
  /** The commit is unknown, because the repository lacks an earlier version of the file. */
  unknown?: true;
}

const MAX_FILE_BYTES = 8 << 20;
const MAX_BLAME_BYTES = 64 << 20;
const BLAME_TIMEOUT_MS = 60_000;
/** Changes of white space, and lines moved within the file, leave a line with the commit that wrote it. */
export const BLAME_OPTIONS: readonly string[] = ["-w", "-M"];

/** Undefined `from` and `to`: the whole file. */
export async function blameLines(
  repository: Repository,
  path: string,
  range: { from: number; to: number } | undefined,
): Promise<BlamedLine[]> {
  // Git would follow a linked folder, even out of the repository.
  const isOutside = existsSync(join(repository.root, path)) && containedPath(repository.root, path) === undefined;
  if (isOutside) {
    throw new DexError("outside", `${path} leads out of the repository ${repository.root}.`, {
      hint: "dex does not follow links out of a repository. Give a file inside it.",
    });
  }
  const lines = range === undefined ? [] : [`-L${range.from},${range.to}`];
  const args = ["blame", "--porcelain", "--no-textconv", ...BLAME_OPTIONS, ...lines, "--", path];
  const limits = { timeoutMs: BLAME_TIMEOUT_MS, maxBytes: MAX_BLAME_BYTES };
  let answer: GitAnswer;
  try {
    answer = await git(repository.root, args, limits);
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    const wrongPlace = wrongPlaceError(repository, path, range, error.message);
    if (wrongPlace) throw wrongPlace;
    if (!MISSING_OBJECT.test(error.message)) throw error;
    const known = await blameWhatIsThere(repository, path, range);
    if (!known) throw error;
    return known;
  }
  const { text, truncated } = answer;
  if (truncated) {
    throw new DexError("too_large", `${path} is too large to blame as a whole.`, {
      hint: "Give a range of its lines: `dex blame <file>:<from>-<to>`.",
    });
  }
  return cleaned(repository, path, parsePorcelain(text, path));
}

/** The error for a file or lines that do not exist, if that is what git complains about. */
function wrongPlaceError(
  repository: Repository,
  path: string,
  range: { from: number; to: number } | undefined,
  complaint: string,
): DexError | undefined {
  const lines = /has only (\d+) lines?/.exec(complaint)?.[1];
  if (lines !== undefined) {
    return new DexError(
      "no_line",
      `${path} has ${plural(Number(lines), "line")}, so line ${range?.from} does not exist.`,
    );
  }
  if (!/no such (?:path|file)|cannot (?:stat|lstat)/i.test(complaint)) return undefined;
  const entry = statSync(join(repository.root, path), { throwIfNoEntry: false });
  if (entry?.isDirectory()) {
    return new DexError("not_a_file", `${path} is a folder, which has no lines of its own.`, {
      hint: `\`dex blame ${path}\` counts the lines of all its files.`,
    });
  }
  if (entry) {
    const elsewhere = ofOtherRepository(repository, path);
    if (elsewhere) return elsewhere;
    return new DexError("not_committed", `${path} is not in a commit yet, so git cannot blame it.`, {
      hint: `\`dex history ${path}\` shows the conversations that edited it.`,
    });
  }
  return new DexError("no_file", `There is no file ${path} in ${repository.root}.`, {
    hint: "Check the path; it is relative to the current folder.",
  });
}

const MISSING_OBJECT = /cannot read blob|unable to (?:read|find)|could not (?:fetch|read)|missing|bad object|corrupt/i;

/** The lines that git can blame before it needs a version that is missing. Undefined if the file itself is missing. */
async function blameWhatIsThere(
  repository: Repository,
  path: string,
  range: { from: number; to: number } | undefined,
): Promise<BlamedLine[] | undefined> {
  const whole = readContainedText(repository.root, path, MAX_FILE_BYTES);
  if (whole === undefined) return undefined;
  const limits = range === undefined ? [] : [`-L${range.from},${range.to}`];
  const args = ["blame", "--incremental", "--no-textconv", ...BLAME_OPTIONS, ...limits, "--", path];
  let text = "";
  try {
    for await (const chunk of gitChunks(repository.root, args, { timeoutMs: BLAME_TIMEOUT_MS })) {
      text += chunk.toString("utf8");
    }
  } catch (error) {
    if (!(error instanceof DexError) || error.code !== "git_failed") throw error;
  }
  const found = new Map<number, BlamedLine>();
  let head: RegExpExecArray | null = null;
  for (const row of text.split("\n")) {
    head = /^([0-9a-f]{40,64}) (\d+) (\d+) (\d+)$/.exec(row) ?? head;
    if (!head || !row.startsWith("filename ")) continue;
    const [, sha = "", original, first, count] = head;
    for (let i = 0; i < Number(count); i += 1) {
      found.set(Number(first) + i, {
        sha: /^0+$/.test(sha) ? undefined : sha,
        line: Number(first) + i,
        original_line: Number(original) + i,
        original_path: redactText(row.slice("filename ".length)).text,
        text: "",
      });
    }
    head = null;
  }
  const lines = whole.replace(/\n$/, "").split("\n");
  const [from, to] = [range?.from ?? 1, Math.min(range?.to ?? lines.length, lines.length)];
  const all = lines.slice(from - 1, to).map((line, i): BlamedLine => {
    const none = {
      sha: undefined,
      line: from + i,
      original_line: from + i,
      original_path: path,
      unknown: true as const,
    };
    return { ...(found.get(from + i) ?? none), text: line };
  });
  return cleaned(repository, path, all);
}

/** Git prints the name of the file once for each commit, and again if the commit has lines of another file. */
function parsePorcelain(text: string, path: string): BlamedLine[] {
  const names = new Map<string, string>();
  const found: BlamedLine[] = [];
  let head: { sha: string; original: number; line: number } | undefined;
  for (const row of text.split("\n")) {
    if (row.startsWith("\t")) {
      if (!head) continue;
      const { sha, original, line } = head;
      found.push({
        sha: /^0+$/.test(sha) ? undefined : sha,
        line,
        original_line: original,
        original_path: names.get(sha) ?? path,
        text: row.slice(1),
      });
      head = undefined;
      continue;
    }
    const [, sha, original, line] = /^([0-9a-f]{40,64}) (\d+) (\d+)(?: \d+)?$/.exec(row) ?? [];
    if (sha !== undefined && !head) head = { sha, original: Number(original), line: Number(line) };
    else if (head && row.startsWith("filename ")) names.set(head.sha, redactText(row.slice("filename ".length)).text);
  }
  return found;
}

/** Redacts lines in the context of their file: a line in the middle of a key is not recognisable alone. */
function cleaned(repository: Repository, path: string, lines: readonly BlamedLine[]): BlamedLine[] {
  const whole = readContainedText(repository.root, path, MAX_FILE_BYTES);
  const raw = whole?.split("\n");
  const clean = whole === undefined ? undefined : redactLines(whole);
  return lines.map((each) => {
    const blamed = each.text.replace(/\r$/, "");
    const known = raw?.[each.line - 1]?.replace(/\r$/, "");
    const text = known === blamed ? clean?.[each.line - 1]?.replace(/\r$/, "") : undefined;
    return { ...each, text: text ?? redactText(blamed).text };
  });
}
