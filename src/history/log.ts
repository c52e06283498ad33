/**
 * `git log` as a stream of commits. Every field and path ends with NUL, which neither can contain, so a file name or a
 * message is never mistaken for structure. At most one commit is in memory.
 */
import { oneLine } from "../kernel/text.ts";
import { redactText } from "../redact/redact.ts";
import type { CommitRecord, FileChange } from "../store/history_records.ts";
import { gitChunks } from "./git.ts";
import type { Repository } from "./repository.ts";

/** Fields before the message: sha, parents, time of author and of committer, author, address. */
const FORMAT = "--format=%H%x00%P%x00%at%x00%ct%x00%an%x00%ae%x00%B%x00";
const FIELDS = 7;
const MAX_TOKEN_BYTES = 64 << 10;
const MAX_BODY_CHARS = 8000;
const MAX_SUBJECT_CHARS = 300;
/** A larger commit is an import or a mass move: only the number of its files is stored. */
const MAX_FILES = 20_000;
const MAX_KNOWN_NAMES = 500_000;
/** Rename detection is quadratic in the number of files. */
const MAX_RENAME_FILES = 400;
const LOG_TIMEOUT_MS = 20 * 60_000;
/** The log is streamed; this is far above the size of the largest log that is read. */
const MAX_LOG_BYTES = 8 * 1024 ** 3;

/** `lines`: counts lines and finds renames, which needs file contents; `names`: needs only trees. */
export type LogDetail = "lines" | "names" | "none";

export interface LogOptions {
  /** Revisions and exclusions, as arguments of git log. */
  revisions: readonly string[];
  detail: LogDetail;
}

export async function* readLog(repository: Repository, options: LogOptions): AsyncGenerator<CommitRecord> {
  const args = ["log", "-z", "--no-color", "--encoding=UTF-8", "--no-show-signature", FORMAT];
  if (options.detail === "none") args.push("--no-patch");
  else if (options.detail === "names") args.push("--raw", "--no-abbrev", "--no-renames");
  else if (repository.shallow.length > 0) args.push("--numstat", "--no-renames", "--no-ext-diff", "--no-textconv");
  else args.push("--numstat", "-M", `-l${MAX_RENAME_FILES}`, "--no-ext-diff", "--no-textconv");
  const boundary = new Set(repository.shallow);
  const tokens = nulTokens(
    gitChunks(repository.root, [...args, ...options.revisions, "--"], {
      timeoutMs: LOG_TIMEOUT_MS,
      maxBytes: MAX_LOG_BYTES,
    }),
  );
  for await (const commit of commitsOf(tokens)) {
    // A commit without its parents would seem to add every file.
    yield boundary.has(commit.sha) ? { ...commit, files: [], file_count: 0, boundary: true } : commit;
  }
}

export async function* nulTokens(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pending: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      if (length < MAX_TOKEN_BYTES) pending.push(chunk.subarray(from, end));
      yield Buffer.concat(pending).toString("utf8", 0, MAX_TOKEN_BYTES);
      pending = [];
      length = 0;
      from = end + 1;
    }
    if (from < chunk.length && length < MAX_TOKEN_BYTES) {
      pending.push(Buffer.from(chunk.subarray(from)));
      length += chunk.length - from;
    }
  }
  if (length > 0) yield Buffer.concat(pending).toString("utf8", 0, MAX_TOKEN_BYTES);
}

async function* commitsOf(tokens: AsyncGenerator<string>): AsyncGenerator<CommitRecord> {
  let commit: CommitRecord | undefined;
  const clean = nameCleaner();
  const next = async (): Promise<string> => (await tokens.next()).value ?? "";
  for await (const raw of tokens) {
    const token = raw.startsWith("\n") ? raw.slice(1) : raw;
    if (token === "") continue;
    if (/^[0-9a-f]{40,64}$/.test(token)) {
      if (commit) yield commit;
      const fields = [token];
      while (fields.length < FIELDS) fields.push(await next());
      commit = recordOf(fields);
      continue;
    }
    if (!commit) continue;
    const change = token.startsWith(":") ? { path: await next() } : await numbered(token, next);
    if (change === undefined || change.path === "") continue;
    commit.file_count += 1;
    if (commit.file_count <= MAX_FILES) {
      const { path, old } = change;
      commit.files.push({ ...change, path: clean(path), ...(old === undefined ? {} : { old: clean(old) }) });
    } else commit.files.length = 0;
  }
  if (commit) yield commit;
}

/** `3\t1\tpath`, `-\t-\tpath` for a binary file, `0\t0\t` and then both names of a renamed one. */
async function numbered(token: string, next: () => Promise<string>): Promise<FileChange | undefined> {
  const match = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(token);
  if (!match) return undefined;
  const [, added = "-", deleted = "-", path = ""] = match;
  const counts = added === "-" ? {} : { added: Number(added), deleted: Number(deleted) };
  if (path !== "") return { path, ...counts };
  const old = await next();
  return { path: await next(), old, ...counts };
}

/** Redacts before truncating: half of a secret would not be recognised. */
function recordOf(fields: readonly string[]): CommitRecord {
  const [sha = "", parents = "", authored = "0", committed = "0", author = "", email = "", raw = ""] = fields;
  const message = redactText(raw).text;
  const newline = message.indexOf("\n");
  const subject = oneLine(newline < 0 ? message : message.slice(0, newline)).slice(0, MAX_SUBJECT_CHARS);
  return {
    sha,
    parents: parents === "" ? 0 : parents.split(" ").length,
    authored: Number(authored) * 1000,
    time: Number(committed) * 1000,
    author: oneLine(redactText(author).text).slice(0, 200),
    email: oneLine(redactText(email).text).slice(0, 200),
    subject,
    body: newline < 0 ? "" : message.slice(newline + 1, newline + 1 + MAX_BODY_CHARS).trim(),
    files: [],
    file_count: 0,
    boundary: false,
  };
}

/** Caches redacted file names, which repeat in many commits. */
function nameCleaner(): (path: string) => string {
  const known = new Map<string, string>();
  return (path) => {
    let clean = known.get(path);
    if (clean === undefined) {
      clean = redactText(path).text;
      if (known.size < MAX_KNOWN_NAMES) known.set(path, clean);
    }
    return clean;
  };
}
