/**
 * Where the documentation of a package's version is: the user's own catalogue first, then the packages dex knows, then the
 * repository that the package names. A package is a stranger's: only public addresses over https count, never local ones.
 */
import { DexError } from "../../kernel/errors.ts";
import { asObject, asString, type JsonObject } from "../../kernel/json.ts";
import { parseSource } from "../declaring/source.ts";
import type { GatherContext } from "../gather/gather.ts";
import { guardsFor, runGit } from "../gather/run_git.ts";
import { mayBePrivate } from "../net/addresses.ts";
import { compareVersions, lineOf, parseVersion, type Version } from "../versions/ranges.ts";
import { knownDocs } from "./known.ts";
import type { DocsFolders } from "./selection.ts";

export interface DocsPlace extends DocsFolders {
  url: string;
  at: Moment;
  /** From the user's catalogue or dex's own: used even if the package ships documents. */
  known: boolean;
  /** The commit that the version was published from, if the registry states one. */
  gitHead?: string;
}

/** Which commit documents the version. */
export type Moment =
  | { kind: "tag" }
  /** The tip of this branch, or of the default branch. */
  | { kind: "branch"; ref: string }
  /** The last commit before the next major version was published. */
  | { kind: "before"; time: number; next: string };

export function docsPlace(
  name: string,
  version: string,
  listing: JsonObject,
  context: GatherContext,
): DocsPlace | undefined {
  const entry = asObject(asObject(listing.versions)[version]);
  const gitHead = /^[0-9a-f]{40}$/.exec(asString(entry.gitHead) ?? "")?.[0];
  const own = context.packages.catalogue[name];
  if (own !== undefined) {
    const source = parseSource([own], "/");
    if (source.kind !== "git") {
      throw new DexError("bad_source", `docs.catalogue maps ${name} to "${own}", which is not a git repository.`, {
        hint: "Write it like git+https://host/repository#branch?path=docs; without a branch dex looks for the version's tag.",
      });
    }
    const at: Moment = source.ref === undefined ? { kind: "tag" } : { kind: "branch", ref: source.ref };
    return { url: source.url, at, known: true, paths: [source.path ?? ""] };
  }
  const known = knownDocs(name);
  if (known) {
    const at: Moment = known.versions === "tag" ? { kind: "tag" } : momentOf(version, listing);
    return { url: known.repository, at, known: true, paths: known.paths };
  }
  const stated = statedRepository(entry.repository ?? listing.repository);
  const url = stated && repositoryAddress(stated.url, context);
  if (!stated || url === undefined) return undefined;
  return {
    url,
    at: { kind: "tag" },
    known: false,
    ...(stated.directory === undefined ? {} : { directory: stated.directory }),
    ...(gitHead === undefined ? {} : { gitHead }),
  };
}

/**
 * A repository that contains only documentation follows the latest version: an earlier version is documented up to the
 * publication of the next.
 */
function momentOf(version: string, listing: JsonObject): Moment {
  const latest: Moment = { kind: "branch", ref: "HEAD" };
  const own = parseVersion(version);
  if (!own) return latest;
  const times = asObject(listing.time);
  const later = Object.keys(asObject(listing.versions))
    .flatMap((text) => {
      const parsed = parseVersion(text);
      return parsed && isLaterLine(parsed, own) ? [{ text, parsed }] : [];
    })
    .toSorted((one, other) => compareVersions(one.parsed, other.parsed));
  const [next] = later;
  const time = next ? Date.parse(asString(times[next.text]) ?? "") : Number.NaN;
  return next && !Number.isNaN(time) ? { kind: "before", time, next: next.text } : latest;
}

function isLaterLine(version: Version, own: Version): boolean {
  return version[3] === "" && compareVersions(version, own) > 0 && lineOf(version) !== lineOf(own);
}

function statedRepository(value: unknown): { url: string; directory?: string } | undefined {
  if (typeof value === "string") return { url: value };
  const { url, directory } = asObject(value);
  const stated = asString(url);
  if (stated === undefined) return undefined;
  const folder = asString(directory)
    ?.replace(/^\.?\//, "")
    .replace(/\/+$/, "");
  const inside = folder !== undefined && folder !== "" && !folder.split("/").includes("..");
  return { url: stated, ...(inside ? { directory: folder } : {}) };
}

const SHORTHAND = /^(?:(github|gitlab|bitbucket):)?([A-Za-z0-9][\w.-]*\/[A-Za-z0-9_][\w.-]*)$/;
const HOSTS: Readonly<Record<string, string>> = {
  github: "https://github.com/",
  gitlab: "https://gitlab.com/",
  bitbucket: "https://bitbucket.org/",
};

/** The https address of a repository as packages state it; undefined: dex does not fetch it. */
export function repositoryAddress(stated: string, { limits }: Pick<GatherContext, "limits">): string | undefined {
  const text = stated.trim().slice(0, 1000);
  const short = SHORTHAND.exec(text);
  if (short) return `${HOSTS[short[1] ?? "github"]}${short[2]}`;
  const scp = /^(?:git\+)?(?:ssh:\/\/)?git@([\w.-]+)[:/]([\w./-]+)$/.exec(text);
  const address = scp
    ? `https://${scp[1]}/${scp[2]}`
    : text.replace(/^git\+/, "").replace(/^(?:git|ssh):\/\//, "https://");
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const isLocal = url.protocol === "http:" && mayBePrivate(url.hostname, limits.allowPrivate);
  if (url.protocol === "http:" && !isLocal) url.protocol = "https:";
  if ((url.protocol !== "https:" && !isLocal) || url.password !== "") return undefined;
  url.username = "";
  url.hash = "";
  url.search = "";
  url.pathname = url.pathname.replace(/\/(?:tree|blob)\/.*$/, "").replace(/\/+$/, "");
  return url.pathname === "/" || url.pathname === "" ? undefined : url.href;
}

/** Whether the branch has a newer commit. Tags and earlier commits do not move. */
export async function hasMoved({ url, at }: DocsPlace, commit: string, context: GatherContext): Promise<boolean> {
  if (at.kind !== "branch") return false;
  try {
    const listed = await runGit(["ls-remote", "--", url, at.ref], context, await guardsFor(url, context));
    return !listed.startsWith(commit);
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    return false;
  }
}
