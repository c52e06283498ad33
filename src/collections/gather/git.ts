/**
 * The documents of a git repository at one commit. Nothing is checked out: one commit is fetched into an empty folder
 * and read as a tar, so no hook, filter, submodule or link of the repository ever takes effect.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DexError, systemCode } from "../../kernel/errors.ts";
import { listNames } from "../../kernel/files/bounded_list.ts";
import { asObject, asString } from "../../kernel/json.ts";
import type { CollectionSource } from "../declaring/source.ts";
import { mayBePrivate } from "../net/addresses.ts";
import { publicAddressOf } from "../net/fetch.ts";
import type { GatherContext, Gathered } from "./gather.ts";
import { giveListed, parseManifest } from "./manifest.ts";
import { giveFiles, unpackTar } from "./package.ts";

type GitSource = Extract<CollectionSource, { kind: "git" }>;

const FETCH_MS = 300_000;
const MAX_OUTPUT_CHARS = 1 << 20;
/** Prefix of the temporary folders that repositories are fetched into. */
const FETCHED = "dex-git-";
/** Longer than any fetch takes: an older folder was left by a killed process. */
const LEFT_BEHIND_MS = 3_600_000;
const MAX_TEMPORARY_ENTRIES = 10_000;

/** Removes folders that killed fetches of this user left in the shared temporary folder. */
export function sweepFetched(now: number): void {
  const { names } = listNames(tmpdir(), MAX_TEMPORARY_ENTRIES);
  for (const name of names.filter((each) => each.startsWith(FETCHED))) {
    try {
      const path = join(tmpdir(), name);
      const stats = lstatSync(path);
      const own = stats.isDirectory() && stats.uid === (process.getuid?.() ?? stats.uid);
      if (own && now - stats.mtimeMs > LEFT_BEHIND_MS) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process may be removing it at the same time.
    }
  }
}

export async function gatherGit(source: GitSource, context: GatherContext, now: () => number): Promise<Gathered> {
  const guards = await guardsFor(source, context);
  const before = asString(asObject(context.state).commit);
  const commit = await remoteCommit(source, context, guards);
  if (commit !== undefined && commit === before) return { same: true };
  const folder = mkdtempSync(join(tmpdir(), FETCHED));
  try {
    await git(["init", "--quiet", "--bare", "--", folder], context, guards);
    const wanted = source.ref ?? "HEAD";
    const fetch = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", source.url, wanted];
    await git(["-C", folder, ...fetch], context, guards);
    const head = (await git(["-C", folder, "rev-parse", "--verify", "FETCH_HEAD^{commit}"], context, guards)).trim();
    const time = Number(await git(["-C", folder, "log", "-1", "--format=%ct", head], context, guards)) * 1000 || now();
    await give(source, folder, head, time, context, guards);
    return { state: { commit: head } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function give(
  source: GitSource,
  folder: string,
  commit: string,
  time: number,
  context: GatherContext,
  guards: string[],
): Promise<void> {
  const part = source.path === undefined ? [] : ["--", source.path];
  const child = start(["-C", folder, "archive", "--format=tar", commit, ...part], context, guards);
  const ended = outcome(child, "archive");
  ended.catch(() => child.stdout?.destroy());
  if (!child.stdout) throw new Error("git has no output");
  const files = await unpackTar(child.stdout, source.url, context, { anyLinks: true });
  await ended;
  const place = (path: string): string =>
    locate(source, commit, source.path === undefined ? path : `${source.path}/${path}`);
  const inside =
    source.path === undefined
      ? files
      : files.map(({ path, bytes }) => ({ path: path.slice((source.path ?? "").length + 1), bytes }));
  if (source.manifest === undefined) {
    await giveFiles(inside, source.exclude, context, place, time);
    return;
  }
  const found = files.find(({ path }) => path === source.manifest);
  if (!found) throw new DexError("no_source", `${source.url} has no ${source.manifest} at ${commit.slice(0, 12)}.`);
  // Paths in a manifest are relative to its folder.
  const home = source.manifest.split("/").slice(0, -1).join("/");
  const below = files.filter(({ path }) => home === "" || path.startsWith(`${home}/`));
  const named = new Map(below.map(({ path, bytes }) => [home === "" ? path : path.slice(home.length + 1), bytes]));
  const manifest = parseManifest(found.bytes, source.manifest);
  await giveListed(
    manifest,
    named,
    source.exclude,
    context,
    (path) => locate(source, commit, home === "" ? path : `${home}/${path}`),
    time,
  );
}

/** The current commit, without fetching it; undefined when git does not list it (a commit that is not the tip of a branch). */
async function remoteCommit(source: GitSource, context: GatherContext, guards: string[]): Promise<string | undefined> {
  const ref = source.ref ?? "HEAD";
  if (/^[0-9a-f]{40}$/.test(ref)) return ref;
  const lines = (await git(["ls-remote", "--", source.url, ref, `${ref}^{}`], context, guards))
    .split("\n")
    .filter(Boolean);
  // An annotated tag lists its own object before the commit it points to.
  const names = [`refs/tags/${ref}^{}`, `refs/heads/${ref}`, `refs/tags/${ref}`, ref];
  const found = names
    .map((name) => lines.find((line) => line.split("\t")[1] === name))
    .find((line) => line !== undefined);
  return found?.split("\t")[0];
}

/** Limits git to this source's protocol and, for the web, to the address that was checked. */
async function guardsFor(source: GitSource, { limits }: GatherContext): Promise<string[]> {
  const url = new URL(source.url);
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
    const address = await publicAddressOf(url.hostname);
    const port = url.port || (protocol === "https" ? "443" : "80");
    if (protocol !== "git")
      settings.push(`http.curloptResolve=${url.hostname}:${port}:${address.includes(":") ? `[${address}]` : address}`);
  }
  return settings.flatMap((setting) => ["-c", setting]);
}

function start(args: readonly string[], { vars }: GatherContext, guards: readonly string[]): ChildProcess {
  const kept = Object.entries(vars).filter(
    ([name]) => !name.startsWith("GIT_") || name === "GIT_SSL_CAINFO" || name === "GIT_SSH_COMMAND",
  );
  const env = {
    ...Object.fromEntries(kept),
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GIT_SSH_COMMAND: vars.GIT_SSH_COMMAND ?? "ssh -oBatchMode=yes",
    GCM_INTERACTIVE: "never",
    LC_ALL: "C",
  };
  return spawn("git", [...guards, ...args], { env, stdio: ["ignore", "pipe", "pipe"], timeout: FETCH_MS });
}

async function git(args: readonly string[], context: GatherContext, guards: readonly string[]): Promise<string> {
  const child = start(args, context, guards);
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    if (output.length < MAX_OUTPUT_CHARS) output += chunk.toString("utf8");
  });
  await outcome(child, args.find((word) => /^[a-z][a-z-]+$/.test(word)) ?? "git");
  return output;
}

function outcome(child: ChildProcess, what: string): Promise<void> {
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
        ),
      );
    });
    child.on("close", (code, signal) => {
      if (code === 0) return resolve();
      const why = signal ? "it took too long" : reasonIn(said);
      reject(
        new DexError("git_failed", `git ${what} failed: ${why || `status ${code}`}.`, {
          hint: "Check the address and the branch, then run `dex docs sync` again. Documents of earlier syncs stay.",
        }),
      );
    });
  });
}

/** Git's error line, without the advice it prints below. */
function reasonIn(said: string): string {
  const lines = said.split("\n").map((line) => line.trim());
  const verdicts = lines.filter((line) => /^(?:fatal|error|ERROR|ssh): /.test(line));
  // The last of them often only says that something above went wrong.
  const verdict =
    verdicts.findLast((line) => !line.includes("Could not read from remote repository")) ??
    verdicts.at(-1) ??
    lines.findLast((line) => line !== "");
  return (verdict ?? "")
    .replace(/^(?:fatal|error|ERROR|ssh): /, "")
    .replace(/\.$/, "")
    .slice(0, 300);
}

function locate({ url }: GitSource, commit: string, path: string): string {
  const { protocol, hostname, pathname } = new URL(url);
  if (hostname === "github.com" && protocol !== "file:")
    return `https://github.com${pathname.replace(/\.git$/, "")}/blob/${commit}/${path}`;
  return `${url}#${commit.slice(0, 12)}:${path}`;
}
