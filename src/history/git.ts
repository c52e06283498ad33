/** Running git: argument arrays only, output streamed and bounded, a time limit on every run. */
import { spawn } from "node:child_process";
import { DexError, systemCode } from "../kernel/errors.ts";
import { blockingFile, gitEnvLater, gitOptions, gitProgram } from "../kernel/git/git.ts";

export interface GitOptions {
  timeoutMs?: number;
  /** More output ends the run; the output so far is returned with `truncated` set. */
  maxBytes?: number;
  /** Exit codes other than 0 that are not errors: `git grep` exits with 1 if it finds nothing. */
  allowedExitCodes?: readonly number[];
}

export interface GitAnswer {
  text: string;
  truncated: boolean;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 16 << 20;
const MAX_COMPLAINT_CHARS = 2000;

/** For `git status`: otherwise git would start itself inside submodules, with their settings. */
export const IN_SUBMODULES = "--ignore-submodules=dirty";

/** The whole output as text. Pathspecs are literal: special characters in a path have no meaning. */
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

/** Streams the output, up to the chunk that exceeds the limit. Leaving the loop early kills git. */
export async function* gitChunks(
  folder: string,
  args: readonly string[],
  options: GitOptions = {},
): AsyncGenerator<Buffer> {
  const blocking = blockingFile(folder);
  if (blocking !== undefined) {
    throw new DexError("git_failed", `dex did not run git, because git would never finish reading ${blocking}.`, {
      hint: "Remove that file, or replace it with a regular one.",
    });
  }
  const child = spawn(gitProgram(), [...gitOptions(folder), ...args], {
    env: await gitEnvLater(folder, args[0] ?? ""),
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
    if (late) {
      throw new DexError("git_slow", `git ${args[0]} took longer than ${limit / 1000} s in ${folder}.`, {
        hint: "Try again when the machine is less busy. In a large repository, `git gc` makes git faster.",
      });
    }
    if (error) throw startError(error);
    if (status !== 0 && !(options.allowedExitCodes ?? []).includes(status ?? -1))
      throw gitError(folder, args, complaint);
  } finally {
    clearTimeout(timer);
    if (!whole) child.kill("SIGKILL");
  }
}

function startError(error: Error): DexError {
  if (systemCode(error) === "ENOENT") {
    return new DexError("no_git", "The git program was not found.", {
      hint: "Install git, or add it to the PATH: dex reads histories with it.",
      cause: error,
    });
  }
  return new DexError("git_failed", `git could not be started: ${error.message}.`, {
    hint: "Check that `git --version` works.",
    cause: error,
  });
}

function gitError(folder: string, args: readonly string[], complaint: string): DexError {
  const lines = complaint.trim().split("\n");
  // Advice may follow the complaint itself.
  const fatal = lines.find((line) => /^fatal: /.test(line))?.replace(/^fatal: /, "");
  const reason = (fatal ?? lines.slice(-2).join(" ")).trim().slice(0, 300);
  return new DexError(
    "git_failed",
    `git ${args[0]} failed in ${folder}: ${(reason || "no reason given").replace(/[.!]?$/, ".")}`,
    {
      hint: /dubious ownership/.test(complaint)
        ? "The repository belongs to another user; git's safe.directory setting allows it."
        : `Try it yourself: git -C ${folder} ${args[0]}.`,
    },
  );
}
