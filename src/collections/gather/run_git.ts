/** Runs git for sources that are fetched: no prompts, no hooks, no redirects, one protocol, one checked address. */
import { type ChildProcess, spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import { DexError, systemCode } from "../../kernel/errors.ts";
import { programFile, withSafePath } from "../../kernel/programs.ts";
import { mayBePrivate } from "../net/addresses.ts";
import { publicAddressOf } from "../net/fetch.ts";
import type { GatherContext } from "./gather.ts";

const FETCH_MS = 300_000;
const MAX_OUTPUT_CHARS = 1 << 20;

/** Limits git to the protocol of this address and, for the web, to the address that was checked. */
export async function guardsFor(address: string, { limits }: GatherContext): Promise<string[]> {
  const url = new URL(address);
  const protocol = url.protocol.slice(0, -1);
  const settings = [
    "protocol.allow=never",
    `protocol.${protocol}.allow=always`,
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "http.followRedirects=false",
  ];
  if (
    (protocol === "https" || protocol === "http" || protocol === "git") &&
    !mayBePrivate(url.hostname, limits.allowPrivate)
  ) {
    const ip = await publicAddressOf(url.hostname);
    const port = url.port || (protocol === "https" ? "443" : "80");
    if (protocol !== "git")
      settings.push(`http.curloptResolve=${url.hostname}:${port}:${ip.includes(":") ? `[${ip}]` : ip}`);
  }
  return settings.flatMap((setting) => ["-c", setting]);
}

/** `input` is written to its standard input. */
export function startGit(
  args: readonly string[],
  { vars }: GatherContext,
  guards: readonly string[],
  input?: string,
): ChildProcess {
  const kept = Object.entries(vars).filter(
    ([name]) => !name.startsWith("GIT_") || name === "GIT_SSL_CAINFO" || name === "GIT_SSH_COMMAND",
  );
  const env = {
    ...withSafePath(Object.fromEntries(kept)),
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GIT_SSH_COMMAND: vars.GIT_SSH_COMMAND ?? "ssh -oBatchMode=yes",
    GCM_INTERACTIVE: "never",
    LC_ALL: "C",
  };
  const stdin = input === undefined ? "ignore" : "pipe";
  const child = spawn(programFile("git", vars), [...guards, ...args], {
    env,
    stdio: [stdin, "pipe", "pipe"],
    timeout: FETCH_MS,
  });
  // Git may end before it has read everything; its exit status says why.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  return child;
}

export async function runGit(
  args: readonly string[],
  context: GatherContext,
  guards: readonly string[],
  { input, maxChars = MAX_OUTPUT_CHARS }: { input?: string; maxChars?: number } = {},
): Promise<string> {
  const child = startGit(args, context, guards, input);
  const decoder = new StringDecoder("utf8");
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    if (output.length < maxChars) output += decoder.write(chunk);
  });
  await outcomeOfGit(child, args.find((word) => /^[a-z][a-z-]+$/.test(word)) ?? "git");
  return output;
}

export function outcomeOfGit(child: ChildProcess, what: string): Promise<void> {
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    if (said.length < 4000) said += chunk.toString("utf8");
  });
  return new Promise((resolve, reject) => {
    child.on("error", (error) => {
      const missing = systemCode(error) === "ENOENT";
      reject(
        new DexError(
          "git_failed",
          missing ? "The program git is not installed." : `git could not be started: ${error.message}`,
          { hint: "Install git, or add it to the PATH." },
        ),
      );
    });
    child.on("close", (code, signal) => {
      if (code === 0) return resolve();
      const why = signal ? "it took too long" : reasonIn(said);
      reject(
        new DexError("git_failed", `git ${what} failed: ${why || `status ${code}`}.`, {
          hint: "Check the address and the branch.",
        }),
      );
    });
  });
}

/** Git's error line, without the advice it prints below. */
function reasonIn(said: string): string {
  const lines = said.split("\n").map((line) => line.trim());
  const verdicts = lines.filter((line) => /^(?:fatal|error|ERROR|ssh): /.test(line));
  // The last line often only says that something failed before.
  const verdict =
    verdicts.findLast((line) => !line.includes("Could not read from remote repository")) ??
    verdicts.at(-1) ??
    lines.findLast((line) => line !== "");
  return (verdict ?? "")
    .replace(/^(?:fatal|error|ERROR|ssh): /, "")
    .replace(/\.$/, "")
    .slice(0, 300);
}
