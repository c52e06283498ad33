/**
 * `git log` as a stream of commits. Every field and path ends in NUL, which neither can hold, so that no name of a file
 * or word of a message can be taken for structure. At most one commit is in memory.
 */

import { redactText } from "../redact/redact.ts";
import type { CommitRecord, FileChange } from "../store/history.ts";
import { gitChunks } from "./git.ts";
import type { Repository } from "./repository.ts";

/** Fields before the message: sha, parents, time of author and of committer, author, address. */
const FORMAT = "--format=%H%x00%P%x00%at%x00%ct%x00%an%x00%ae%x00%B%x00";
const FIELDS = 7;
const LONGEST_TOKEN = 64 << 10;
const LONGEST_BODY = 8000;
const LONGEST_SUBJECT = 300;
/** A commit of more files is an import or a move of everything: how many is kept, which is not. */
const MOST_FILES = 20_000;
const MAX_KNOWN_NAMES = 500_000;
/** Comparing each removed with each added file is quadratic. */
const RENAME_LIMIT = 400;
const LOG_TIMEOUT = 20 * 60_000;
/** Streamed, and never in memory at once: far above what the most commits that are read can say. */
const MAX_LOG_BYTES = 8 * 1024 ** 3;

/** `lines`: changed lines counted and renames found, which needs the files' contents; `names`: needs trees alone. */
export type LogDetail = "lines" | "names" | "none";

export interface LogOptions {
  /** What to list: revisions and exclusions, as arguments of git log. */
  revisions: readonly string[];
  detail: LogDetail;
}

export async function* readLog(repository: Repository, options: LogOptions): AsyncGenerator<CommitRecord> {
  const args = ["log", "-z", "--no-color", "--encoding=UTF-8", "--no-show-signature", FORMAT];
  if (options.detail === "none") args.push("--no-patch");
  else if (options.detail === "names") args.push("--raw", "--no-abbrev", "--no-renames");
  else if (repository.shallow.length > 0) args.push("--numstat", "--no-renames", "--no-ext-diff", "--no-textconv");
  else args.push("--numstat", "-M", `-l${RENAME_LIMIT}`, "--no-ext-diff", "--no-textconv");
  const boundary = new Set(repository.shallow);
  const tokens = nulTokens(
    gitChunks(repository.root, [...args, ...options.revisions, "--"], {
      timeoutMs: LOG_TIMEOUT,
      maxBytes: MAX_LOG_BYTES,
    }),
  );
  for await (const commit of commitsOf(tokens)) {
    // A commit whose parents are missing seems to add every file there is.
    yield boundary.has(commit.sha) ? { ...commit, files: [], file_count: 0, boundary: true } : commit;
  }
}

export async function* nulTokens(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pending: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      if (length < LONGEST_TOKEN) pending.push(chunk.subarray(from, end));
      yield Buffer.concat(pending).toString("utf8", 0, LONGEST_TOKEN);
      pending = [];
      length = 0;
      from = end + 1;
    }
    if (from < chunk.length && length < LONGEST_TOKEN) {
      pending.push(Buffer.from(chunk.subarray(from)));
      length += chunk.length - from;
    }
  }
  if (length > 0) yield Buffer.concat(pending).toString("utf8", 0, LONGEST_TOKEN);
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
    if (commit.file_count <= MOST_FILES) {
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

/** Secrets leave before anything is cut: a half of one would no longer be known as one. */
function recordOf(fields: readonly string[]): CommitRecord {
  const [sha = "", parents = "", authored = "0", committed = "0", author = "", email = "", said = ""] = fields;
  const message = redactText(said).text;
  const newline = message.indexOf("\n");
  const subject = (newline < 0 ? message : message.slice(0, newline)).trim().slice(0, LONGEST_SUBJECT);
  return {
    sha,
    parents: parents === "" ? 0 : parents.split(" ").length,
    authored: Number(authored) * 1000,
    time: Number(committed) * 1000,
    author: redactText(author).text.slice(0, 200),
    email: redactText(email).text.slice(0, 200),
    subject,
    body: newline < 0 ? "" : message.slice(newline + 1, newline + 1 + LONGEST_BODY).trim(),
    files: [],
    file_count: 0,
    boundary: false,
  };
}

/** File names are redacted once each: the same ones come again with every commit. */
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
