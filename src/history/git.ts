/** Running git: argument arrays only, output streamed and bounded, a time limit on every run. */
import { spawn } from "node:child_process";
import { DexError, systemCode } from "../kernel/errors.ts";
import { blockingFile, gitEnv, gitOptions } from "../kernel/git/git.ts";

export interface GitOptions {
  timeoutMs?: number;
  /** More output than this ends the run: what came is kept and `truncated` says so. */
  maxBytes?: number;
  /** Exit statuses beside 0 that are an answer: `git grep` says 1 when it finds nothing. */
  fine?: readonly number[];
}

export interface GitAnswer {
  text: string;
  truncated: boolean;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 16 << 20;
const MAX_COMPLAINT_CHARS = 2000;

/** For `git status`: to look for changes inside of a submodule, git would start itself there, with that one's settings. */
export const IN_SUBMODULES = "--ignore-submodules=dirty";

/** The whole output, as text. Pathspecs are literal: a path is that path, whatever characters it has. */
export async function git(folder: string, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of gitChunks(folder, args, { ...options, maxBytes })) {
    chunks.push(chunk);
    bytes += chunk.length;
  }
  return { text: Buffer.concat(chunks).subarray(0, maxBytes).toString("utf8"), truncated: bytes > maxBytes };
}

/** Output as it comes, to the end of the chunk that exceeds the limit. Ending the loop early ends git. */
export async function* gitChunks(
  folder: string,
  args: readonly string[],
  options: GitOptions = {},
): AsyncGenerator<Buffer> {
  const blocking = blockingFile(folder);
  if (blocking !== undefined) {
    throw new DexError("git_failed", `git was not asked: it would read ${blocking} without end.`, {
      hint: "Remove that file, or put an ordinary one in its place.",
    });
  }
  const child = spawn("git", [...gitOptions(folder), ...args], {
    env: gitEnv(folder, args[0] ?? ""),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let complaint = "";
  child.stderr.setEncoding("utf8");
  child.stderr.on("data", (text: string) => {
    if (complaint.length < MAX_COMPLAINT_CHARS) complaint += text;
  });
  const ended = new Promise<{ status: number | null; error?: Error }>((resolve) => {
    child.on("error", (error) => resolve({ status: null, error }));
    child.on("close", (status) => resolve({ status }));
  });
  const limit = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill("SIGKILL");
  }, limit);
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  let bytes = 0;
  let whole = false;
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      yield chunk;
      bytes += chunk.length;
      if (bytes > maxBytes) return;
    }
    whole = true;
    const { status, error } = await ended;
    if (late) throw new DexError("git_slow", `git ${args[0]} took longer than ${limit / 1000} s in ${folder}.`);
    if (error) throw startError(error);
    if (status !== 0 && !(options.fine ?? []).includes(status ?? -1)) throw gitError(folder, args, complaint);
  } finally {
    clearTimeout(timer);
    if (!whole) child.kill("SIGKILL");
  }
}

function startError(error: Error): DexError {
  if (systemCode(error) === "ENOENT") {
    return new DexError("no_git", "The git program was not found.", {
      hint: "Install git, or put it on the PATH: histories are read with it.",
      cause: error,
    });
  }
  return new DexError("git_failed", `git could not be started: ${error.message}.`, { cause: error });
}

function gitError(folder: string, args: readonly string[], complaint: string): DexError {
  const said = complaint.trim().split("\n").slice(-2).join(" ").slice(0, 300);
  return new DexError("git_failed", `git ${args[0]} failed in ${folder}: ${said || "no reason given"}`, {
    hint: /dubious ownership/.test(complaint)
      ? "The repository belongs to another user; git's safe.directory setting allows it."
      : `Try it yourself: git -C ${folder} ${args[0]}.`,
  });
}
