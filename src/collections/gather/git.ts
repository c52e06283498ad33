/**
 * The documents of a git repository at one commit. Nothing is checked out: one commit is fetched into an empty folder
 * and read as a tar, so no hook, filter, submodule or link of the repository ever takes effect.
 */
import { rmSync } from "node:fs";
import { DexError } from "../../kernel/errors.ts";
import { temporaryFolder } from "../../kernel/files/temporary_folder.ts";
import { asObject, asString } from "../../kernel/json.ts";
import type { CollectionSource } from "../declaring/source.ts";
import type { GatherContext, Gathered } from "./gather.ts";
import { giveListed, parseManifest } from "./manifest.ts";
import { giveFiles, unpackTar } from "./package.ts";
import { guardsFor, outcomeOfGit, runGit, startGit } from "./run_git.ts";

type GitSource = Extract<CollectionSource, { kind: "git" }>;

/** Prefix of the temporary folders that repositories are fetched into. */
const FETCHED = "dex-git-";

export async function gatherGit(source: GitSource, context: GatherContext, now: () => number): Promise<Gathered> {
  const guards = await guardsFor(source.url, context);
  const before = asString(asObject(context.state).commit);
  const commit = await remoteCommit(source, context, guards);
  if (commit !== undefined && commit === before) return { same: true };
  return withEmptyRepository(context, guards, async (folder) => {
    const wanted = source.ref ?? "HEAD";
    const fetch = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", source.url, wanted];
    await runGit(["-C", folder, ...fetch], context, guards);
    const head = (await runGit(["-C", folder, "rev-parse", "--verify", "FETCH_HEAD^{commit}"], context, guards)).trim();
    const time =
      Number(await runGit(["-C", folder, "log", "-1", "--format=%ct", head], context, guards)) * 1000 || now();
    await give(source, folder, head, time, context, guards);
    return { state: { commit: head } };
  });
}

/** Calls `use` with an empty, temporary repository. */
export async function withEmptyRepository<T>(
  context: GatherContext,
  guards: readonly string[],
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = temporaryFolder(FETCHED);
  try {
    await runGit(["init", "--quiet", "--bare", "--", folder], context, guards);
    return await use(folder);
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
  const child = startGit(["-C", folder, "archive", "--format=tar", commit, ...part], context, guards);
  const ended = outcomeOfGit(child, "archive");
  ended.catch(() => child.stdout?.destroy());
  if (!child.stdout) throw new Error("git has no output");
  const files = await unpackTar(child.stdout, source.url, context, { anyLinks: true });
  await ended;
  const place = (path: string): string =>
    locateInGit(source.url, commit, source.path === undefined ? path : `${source.path}/${path}`);
  const inside =
    source.path === undefined
      ? files
      : files.map(({ path, bytes }) => ({ path: path.slice((source.path ?? "").length + 1), bytes }));
  if (source.manifest === undefined) {
    await giveFiles(inside, source.exclude, context, place, time);
    return;
  }
  const found = files.find(({ path }) => path === source.manifest);
  if (!found) {
    throw new DexError("no_source", `${source.url} has no ${source.manifest} at ${commit.slice(0, 12)}.`, {
      hint: "Correct the source.",
    });
  }
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
    (path) => locateInGit(source.url, commit, home === "" ? path : `${home}/${path}`),
    time,
  );
}

/** The current commit, without fetching it; undefined when git does not list it (a commit that is not the tip of a branch). */
async function remoteCommit(source: GitSource, context: GatherContext, guards: string[]): Promise<string | undefined> {
  const ref = source.ref ?? "HEAD";
  if (/^[0-9a-f]{40}$/.test(ref)) return ref;
  const lines = (await runGit(["ls-remote", "--", source.url, ref, `${ref}^{}`], context, guards))
    .split("\n")
    .filter(Boolean);
  // An annotated tag lists its own object before the commit it points to.
  const names = [`refs/tags/${ref}^{}`, `refs/heads/${ref}`, `refs/tags/${ref}`, ref];
  const found = names
    .map((name) => lines.find((line) => line.split("\t")[1] === name))
    .find((line) => line !== undefined);
  return found?.split("\t")[0];
}

/** Where a file of a commit can be opened. */
export function locateInGit(url: string, commit: string, path: string): string {
  const { protocol, hostname, pathname } = new URL(url);
  if (hostname === "github.com" && protocol !== "file:")
    return `https://github.com${pathname.replace(/\.git$/, "")}/blob/${commit}/${path}`;
  return `${url}#${commit.slice(0, 12)}:${path}`;
}
