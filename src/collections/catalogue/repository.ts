/**
 * The documentation of one version in a git repository. Only the commit, its listing of files and the contents of its
 * documents are fetched; nothing is checked out.
 */
import { DexError } from "../../kernel/errors.ts";
import { formatBytes } from "../../kernel/text.ts";
import { estimateTokens } from "../../tokens/estimate.ts";
import type { GatherContext } from "../gather/gather.ts";
import { locateInGit, withEmptyRepository } from "../gather/git.ts";
import { guardsFor, outcomeOfGit, runGit, startGit } from "../gather/run_git.ts";
import { selector } from "../gather/walk.ts";
import type { DocsPlace } from "./place.ts";
import { selectDocuments } from "./selection.ts";

const MAX_LISTING_CHARS = 64 << 20;
const DAY_MS = 86_400_000;
/** How many days before a date dex looks for the last commit. */
const MAX_QUIET_DAYS = 400;

interface Given {
  documents: number;
  tokens: number;
  commit: string;
  note: string;
}

export async function giveRepository(
  place: DocsPlace,
  { name, exclude }: { name: string; exclude: readonly string[] },
  version: string,
  context: GatherContext,
  now: () => number,
): Promise<Given> {
  const { url } = place;
  const guards = await guardsFor(url, context);
  return withEmptyRepository(context, guards, async (folder) => {
    const git = (args: readonly string[], options = {}): Promise<string> =>
      runGit(["-C", folder, ...args], context, guards, options);
    const wanted = await wantedCommit(place, name, version, git);
    await git([...FETCH, "--depth=1", "--filter=blob:none", "--", url, wanted.ref]);
    const commit = (await git(["rev-parse", "--verify", "FETCH_HEAD^{commit}"])).trim();
    const time = Number(await git(["log", "-1", "--format=%ct", commit])) * 1000 || now();
    const listing = await git(["ls-tree", "-r", "-z", "--full-tree", commit], { maxChars: MAX_LISTING_CHARS });
    const blobs = blobsIn(listing);
    const { leavesOut } = selector({ include: [], exclude });
    const root = repositoryName(url);
    const chosen = [...selectDocuments([...blobs.keys()], place)]
      .map(([path, full]) => ({ path: `${root}/${path}`, full, oid: blobs.get(full) ?? "" }))
      .filter(({ path }) => !leavesOut(path))
      .slice(0, context.limits.maxFiles + 1);
    let tokens = 0;
    let documents = 0;
    const fetched = await fetchBlobs(folder, url, new Set(chosen.map(({ oid }) => oid)), context, guards);
    for (const { path, full, oid } of chosen) {
      const bytes = fetched.get(oid);
      if (bytes === undefined) {
        context.sink.failed(path, `It is missing, or larger than ${formatBytes(context.limits.maxBytes)}.`);
        continue;
      }
      await context.sink.file({ path, location: locateInGit(url, commit, full), bytes, updated: time });
      documents += 1;
      tokens += estimateTokens(bytes.toString("utf8"));
    }
    const nothing = documents === 0 ? "; it has no folder of documentation there" : "";
    return { documents, tokens, commit, note: `${wanted.label} (${commit.slice(0, 12)})${nothing}` };
  });
}

const FETCH = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules"];

type Git = (args: readonly string[], options?: { input?: string; maxChars?: number }) => Promise<string>;

async function wantedCommit(
  place: DocsPlace,
  name: string,
  version: string,
  git: Git,
): Promise<{ ref: string; label: string }> {
  const { url, at, gitHead } = place;
  if (at.kind === "branch") return { ref: at.ref, label: at.ref === "HEAD" ? "default branch" : at.ref };
  if (at.kind === "before") {
    const day = new Date(at.time).toISOString().slice(0, 10);
    return { ref: await commitBefore(url, at.time, git), label: `as of ${day}, when ${at.next} was published` };
  }
  const tags = tagsFor(name, version);
  const listed = await git(["ls-remote", "--tags", "--", url, ...tags.map((tag) => `refs/tags/${tag}`)]);
  const present = new Set(listed.split("\n").map((line) => line.split("\t")[1]));
  const tag = tags.find((each) => present.has(`refs/tags/${each}`));
  if (tag !== undefined) return { ref: `refs/tags/${tag}`, label: `tag ${tag}` };
  if (gitHead !== undefined) return { ref: gitHead, label: "the published commit" };
  throw new DexError("no_version", `${url} has no tag for version ${version} of ${name}.`, {
    hint: `Name a branch or tag yourself: \`dex docs add ${name}@${version} git+${url}#tag --replace\`.`,
  });
}

/** The usual names of a version's tag, those that name the package first. */
function tagsFor(name: string, version: string): string[] {
  const bare = name.slice(name.indexOf("/") + 1);
  return [
    `${name}@${version}`,
    `${bare}@${version}`,
    `${bare}@v${version}`,
    `${bare}-v${version}`,
    `${bare}/v${version}`,
    `${bare}-${version}`,
    `v${version}`,
    version,
    `release-${version}`,
  ];
}

/** The last commit of the default branch before this time. Only commits are fetched for it. */
async function commitBefore(url: string, time: number, git: Git): Promise<string> {
  const before = new Date(time).toISOString();
  for (const days of [30, MAX_QUIET_DAYS]) {
    const since = new Date(time - days * DAY_MS).toISOString();
    await git([...FETCH, `--shallow-since=${since}`, "--filter=tree:0", "--", url, "HEAD"]);
    const found = (await git(["rev-list", "-1", "--first-parent", `--before=${before}`, "FETCH_HEAD"])).trim();
    if (found !== "") return found;
  }
  throw new DexError("no_version", `${url} has no commit in the ${MAX_QUIET_DAYS} days before ${before.slice(0, 10)}.`);
}

/** Ids of the regular files in an `ls-tree -z`, by path. */
function blobsIn(listing: string): Map<string, string> {
  const blobs = new Map<string, string>();
  for (const line of listing.split("\0")) {
    const [, oid, path] = /^100(?:644|755) blob ([0-9a-f]{40,64})\t([\s\S]+)$/.exec(line) ?? [];
    if (oid !== undefined && path !== undefined) blobs.set(path, oid);
  }
  return blobs;
}

function repositoryName(url: string): string {
  return (
    url
      .split("/")
      .at(-1)
      ?.replace(/\.git$/, "") || "repository"
  );
}

/** Contents by id; one that is missing or too large is left out. */
async function fetchBlobs(
  folder: string,
  url: string,
  oids: ReadonlySet<string>,
  context: GatherContext,
  guards: readonly string[],
): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  if (oids.size === 0) return contents;
  const input = [...oids].map((oid) => `${oid}\n`).join("");
  const all = ["-C", folder, "-c", "fetch.negotiationAlgorithm=noop", ...FETCH, "--no-write-fetch-head", "--stdin"];
  // A server that ignores the filter has sent them already and may refuse to send them again.
  await runGit([...all, "--filter=blob:none", "--", url], context, guards, { input }).catch(() => undefined);
  const child = startGit(["-C", folder, "cat-file", "--batch"], context, guards, input);
  const ended = outcomeOfGit(child, "cat-file");
  ended.catch(() => child.stdout?.destroy());
  if (!child.stdout) throw new Error("git has no output");
  const { maxBytes, maxTotal } = context.limits;
  let open: { oid: string; left: number; parts: Buffer[] | undefined } | undefined;
  let rest: Buffer = Buffer.alloc(0);
  let total = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      if (open) {
        const part = rest.subarray(0, open.left);
        open.parts?.push(part);
        open.left -= part.length;
        rest = rest.subarray(part.length);
        if (open.left > 0) break;
        // The newline after a content counts as its last byte.
        if (open.parts) contents.set(open.oid, Buffer.concat(open.parts).subarray(0, -1));
        open = undefined;
      }
      const end = rest.indexOf(10);
      if (end < 0) break;
      const [oid = "", kind, size] = rest.subarray(0, end).toString("latin1").split(" ");
      rest = rest.subarray(end + 1);
      if (kind !== "blob") continue;
      const bytes = Number(size);
      total += bytes;
      if (total > maxTotal) {
        child.kill();
        throw new DexError("too_large", `The documentation in ${url} is larger than ${formatBytes(maxTotal)}.`, {
          hint: "Raise docs.maxTotalBytes.",
        });
      }
      open = { oid, left: bytes + 1, parts: bytes > maxBytes ? undefined : [] };
    }
  }
  await ended;
  return contents;
}
