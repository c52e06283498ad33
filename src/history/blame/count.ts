/**
 * Counts the lines of each commit in the files of HEAD. Blaming a file takes git a tenth of a second, so the counts are
 * stored with the history: they hold as long as the file and the last commit that touched it are the same.
 */
import { availableParallelism } from "node:os";
import { DexError } from "../../kernel/errors.ts";
import { redactText } from "../../redact/redact.ts";
import type { HistoryReader } from "../../store/history.ts";
import type { LineCounts } from "../../store/history_records.ts";
import { git, gitChunks } from "../git.ts";
import { nulTokens } from "../log.ts";
import type { Repository } from "../repository.ts";
import { INCOMPLETE } from "../update.ts";
import { BLAME_OPTIONS } from "./lines.ts";

const MAX_FILES = 50_000;
const MAX_WORKERS = 6;
const FILE_TIMEOUT_MS = 30_000;
/** `git blame --incremental` prints no text, so more output means a generated file. */
const MAX_FILE_OUTPUT_BYTES = 16 << 20;
const BINARY =
  /\.(?:png|jpe?g|gif|ico|icns|webp|avif|bmp|tiff?|pdf|zip|gz|tgz|bz2|xz|zst|7z|jar|class|woff2?|ttf|otf|eot|mp[34]|mov|webm|ogg|wav|wasm|so|dylib|dll|exe|bin|db|sqlite|pyc|node)$/i;

export interface CountedFiles {
  files: LineCounts[];
  /** The new counts, which are to be stored. A path with a secret is not stored. */
  fresh: LineCounts[];
  /** Files that were left out: binary, or unreadable because objects are missing. */
  binary: number;
  unreadable: number;
  /** Files for which there was no time. */
  left: number;
}

export interface CountOptions {
  /** A file or folder; empty for the whole repository. */
  path: string;
  timeoutMs: number;
  progress?: ((done: number, total: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export async function countLines(
  repository: Repository,
  history: HistoryReader,
  options: CountOptions,
): Promise<CountedFiles> {
  const end = performance.now() + options.timeoutMs;
  const counted: CountedFiles = { files: [], fresh: [], binary: 0, unreadable: 0, left: 0 };
  const pending: { path: string; blob: string; last: string }[] = [];
  // Without this check, some commits would lack line counts, and their files would seem to be binary.
  const isCounted = !repository.partial && Number(history.getValue(INCOMPLETE) ?? 0) === 0;
  for await (const { path, blob } of filesOfHead(repository, options.path)) {
    if (BINARY.test(path) || (isCounted && history.isBinary(path))) {
      counted.binary += 1;
      continue;
    }
    const last = history.lastTouch(path)?.sha ?? "";
    const known = history.lineCounts(path);
    if (known && known.blob === blob && known.last === last) counted.files.push(known);
    else if (counted.files.length + pending.length < MAX_FILES) pending.push({ path, blob, last });
    else counted.left += 1;
  }
  const total = counted.files.length + pending.length;
  let at = 0;
  const work = async (): Promise<void> => {
    for (let file = pending[at++]; file !== undefined; file = pending[at++]) {
      const left = end - performance.now();
      if (left <= 0 || options.signal?.aborted) {
        counted.left += 1;
        continue;
      }
      const commits = await blameCounts(repository, file.path, Math.min(left, FILE_TIMEOUT_MS));
      if (commits === "late") counted.left += 1;
      else if (commits === undefined) counted.unreadable += 1;
      else {
        if (redactText(file.path).text === file.path) counted.fresh.push({ ...file, commits });
        counted.files.push({ ...file, commits });
      }
      options.progress?.(total - pending.length + Math.min(at, pending.length), total);
    }
  };
  const workers = Math.max(1, Math.min(MAX_WORKERS, availableParallelism()));
  await Promise.all(Array.from({ length: workers }, work));
  return counted;
}

async function* filesOfHead(repository: Repository, path: string): AsyncGenerator<{ path: string; blob: string }> {
  const args = ["ls-tree", "-r", "-z", "--full-tree", "HEAD", ...(path === "" ? [] : ["--", path])];
  for await (const token of nulTokens(gitChunks(repository.root, args, { maxBytes: 1 << 30 }))) {
    const [, blob, name] = /^100\d{3} blob ([0-9a-f]{40,64})\t(.+)$/s.exec(token) ?? [];
    if (blob !== undefined && name !== undefined) yield { path: name, blob };
  }
}

/** The number of lines of each commit. Undefined: git cannot blame the file. */
async function blameCounts(
  repository: Repository,
  path: string,
  timeoutMs: number,
): Promise<Record<string, number> | "late" | undefined> {
  const args = ["blame", "--incremental", "--no-textconv", ...BLAME_OPTIONS, "HEAD", "--", path];
  try {
    const { text, truncated } = await git(repository.root, args, { timeoutMs, maxBytes: MAX_FILE_OUTPUT_BYTES });
    if (truncated) return undefined;
    const commits: Record<string, number> = {};
    for (const [, sha = "", count] of text.matchAll(/^([0-9a-f]{40,64}) \d+ \d+ (\d+)$/gm)) {
      commits[sha] = (commits[sha] ?? 0) + Number(count);
    }
    return commits;
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    if (error.code === "git_slow") return "late";
    if (error.code === "git_failed") return undefined;
    throw error;
  }
}
