/**
 * The source of a collection, parsed from what the user writes. Its canonical form (absolute real paths, normalised
 * addresses) identifies the collection; a name or a path relative to a project does not.
 */
import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { DexError } from "../../kernel/errors.ts";
import { contentId } from "../../kernel/ids.ts";

/** `exclude`: globs of paths inside the collection; `current`: without the documents of old versions. */
export type CollectionSource = { exclude: string[] } & (
  | { kind: "folder"; root: string; include: string[]; current?: true }
  | { kind: "git"; url: string; ref?: string; path?: string; manifest?: string }
  | { kind: "npm"; name: string; range: string }
  | { kind: "package"; at: string }
  | { kind: "manifest"; at: string }
  | { kind: "site"; url: string }
);

const PACKAGE = /\.(tar\.gz|tgz|tar|zip)$/i;
const NPM_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

/** `words`: a source, and for local ones further globs; a word that starts with `!` excludes matching files. */
export function parseSource(words: readonly string[], base: string): CollectionSource {
  const exclude = words.filter((word) => word.startsWith("!")).map((word) => word.slice(1));
  const wanted = words.filter((word) => !word.startsWith("!") && word !== "");
  const [first] = wanted;
  if (first === undefined) throw badSource("A collection needs a source.");
  const remote = wanted.length === 1 ? remoteSource(first, exclude) : undefined;
  if (remote) return remote;
  return localSource(
    wanted.map((word) => localPath(word, base)),
    exclude,
    base,
  );
}

function remoteSource(text: string, exclude: string[]): CollectionSource | undefined {
  if (text.startsWith("npm:")) return npmSource(text.slice(4), exclude);
  if (text.startsWith("git+") || /^git@[\w.-]+:/.test(text) || text.startsWith("git://"))
    return gitSource(text, exclude);
  if (!/^https?:\/\//i.test(text)) {
    if (/^[a-z][a-z+.-]*:\/\//i.test(text) && !text.startsWith("file://")) {
      throw badSource(`dex does not support sources like "${text}".`);
    }
    return undefined;
  }
  const url = address(text);
  if (/\.git$/.test(url.pathname)) return gitSource(`git+${text}`, exclude);
  const tree = /^\/([^/]+\/[^/]+)\/tree\/([^/]+)\/?(.*)$/.exec(url.pathname);
  if (tree && url.hostname === "github.com") {
    return gitSource(`git+https://github.com/${tree[1]}#${tree[2]}${tree[3] ? `?path=${tree[3]}` : ""}`, exclude);
  }
  url.hash = "";
  if (PACKAGE.test(url.pathname)) return { kind: "package", at: url.href, exclude };
  if (/\/[^/]*manifest\.json$/.test(url.pathname)) return { kind: "manifest", at: url.href, exclude };
  return { kind: "site", url: url.href, exclude };
}

function npmSource(text: string, exclude: string[]): CollectionSource {
  const at = text.indexOf("@", 1);
  const name = at < 0 ? text : text.slice(0, at);
  const range = (at < 0 ? "latest" : text.slice(at + 1)).trim() || "latest";
  if (!NPM_NAME.test(name) || name.length > 214 || range.length > 100) {
    throw badSource(`"npm:${text}" is not the name of an npm package.`);
  }
  return { kind: "npm", name, range, exclude };
}

/** `git+https://host/repo#ref?path=docs`, or `?manifest=docs/manifest.json`. */
function gitSource(text: string, exclude: string[]): CollectionSource {
  const scp = /^(?:git\+)?(git@[\w.-]+):(?!\/\/)([^#]+)(#.*)?$/.exec(text);
  const full = scp ? `ssh://${scp[1]}/${scp[2]}${scp[3] ?? ""}` : text.replace(/^git\+/, "");
  const hashAt = full.indexOf("#");
  const where = hashAt < 0 ? full : full.slice(0, hashAt);
  const [ref = "", query = ""] = (hashAt < 0 ? "" : full.slice(hashAt + 1)).split("?");
  const asked = new URLSearchParams(query);
  const url = gitAddress(where);
  return {
    kind: "git",
    url,
    ...(ref === "" ? {} : { ref: checkRef(decodeURIComponent(ref)) }),
    ...inside("path", asked.get("path")),
    ...inside("manifest", asked.get("manifest")),
    exclude,
  };
}

function gitAddress(where: string): string {
  const url = address(where);
  if (!["https:", "http:", "ssh:", "file:", "git:"].includes(url.protocol)) {
    throw badSource(`dex does not fetch repositories over ${url.protocol}//.`);
  }
  if (url.password !== "")
    throw badSource("dex would store the password in the repository's address; use a credential helper instead.");
  if (url.protocol === "file:") return `file://${realPath(fileURLToPath(url))}`;
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url.href;
}

function checkRef(ref: string): string {
  if (!/^[A-Za-z0-9][\w./+-]{0,200}$/.test(ref) || ref.includes(".."))
    throw badSource(`"${ref}" is not a branch, tag or commit.`);
  return ref;
}

function inside<K extends string>(key: K, path: string | null): { [name in K]?: string } {
  if (path === null || path === "") return {};
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..") || path.includes("\\") || path.includes("\0"))
    throw badSource(`"${path}" leaves the repository.`);
  const one: { [name in K]?: string } = {};
  if (parts.length > 0) one[key] = parts.join("/") as { [name in K]?: string }[K];
  return one;
}

function localPath(text: string, base: string): string {
  if (text.startsWith("~/")) return join(homedir(), text.slice(2));
  if (!text.startsWith("file://")) return resolve(base, text);
  const rest = text.slice("file://".length);
  return rest.startsWith("/")
    ? fileURLToPath(text.replace(/[*?#[\]{}]/g, (sign) => encodeURIComponent(sign)))
    : resolve(base, decodeURI(rest));
}

function localSource(paths: string[], exclude: string[], base: string): CollectionSource {
  const [only = ""] = paths;
  if (paths.length === 1 && !isGlob(only)) {
    const stats = statSync(only, { throwIfNoEntry: false });
    const real = realPath(only);
    if (stats?.isDirectory()) return { kind: "folder", root: real, include: [], exclude: inRoot(exclude, real, base) };
    if (!stats && PACKAGE.test(only)) return { kind: "package", at: real, exclude };
    if (stats?.isFile() && PACKAGE.test(only)) return { kind: "package", at: real, exclude };
    if (/manifest\.json$/.test(basename(only))) return { kind: "manifest", at: real, exclude };
    if (!stats) return { kind: "folder", root: real, include: [], exclude: inRoot(exclude, real, base) };
  }
  const split = paths.map((path) => splitGlob(path));
  const root = realPath(commonFolder(split.map(({ folder }) => folder)));
  const include = split.map(({ folder, glob }) => {
    const below = relative(root, realPath(folder)).split(sep).join("/");
    return below === "" ? glob : `${below}/${glob}`;
  });
  return { kind: "folder", root, include: include.toSorted(), exclude: inRoot(exclude, root, base) };
}

/** Exclusions may be relative to the current folder or to the collection's folder. */
function inRoot(exclude: string[], root: string, base: string): string[] {
  return exclude.map((glob) => {
    const absolute = resolve(realPath(base), glob);
    const below = relative(root, absolute).split(sep).join("/");
    return below !== "" && !below.startsWith("..") && root !== realPath(base) ? below : glob.replace(/^\.\//, "");
  });
}

function isGlob(path: string): boolean {
  return /[*?[{]/.test(path) && !statSync(path, { throwIfNoEntry: false });
}

function splitGlob(path: string): { folder: string; glob: string } {
  const parts = path.split(sep);
  const first = parts.findIndex((part) => /[*?[{]/.test(part));
  if (first >= 0) return { folder: parts.slice(0, first).join(sep) || sep, glob: parts.slice(first).join("/") };
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return { folder: path, glob: "**" };
  return { folder: dirname(path), glob: basename(path) };
}

function commonFolder(folders: readonly string[]): string {
  const [first = sep, ...others] = folders.map((folder) => folder.split(sep));
  let length = first.length;
  for (const other of others) {
    let same = 0;
    while (same < length && first[same] === other[same]) same += 1;
    length = same;
  }
  return (first as string[]).slice(0, length).join(sep) || sep;
}

/** The real path. For a path that does not exist yet, links in its existing part are resolved. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

/** The same text for the same source; the identity is derived from it. */
export function canonicalSource(source: CollectionSource): string {
  const excluded = source.exclude
    .toSorted()
    .map((glob) => ` !${glob}`)
    .join("");
  switch (source.kind) {
    case "folder":
      return `${source.root}${source.include.map((glob) => ` ${glob}`).join("")}${excluded}`;
    case "git": {
      const query = source.manifest ? `?manifest=${source.manifest}` : source.path ? `?path=${source.path}` : "";
      return `git+${source.url}${source.ref || query ? `#${source.ref ?? ""}${query}` : ""}${excluded}`;
    }
    case "npm":
      return `npm:${source.name}@${source.range}${excluded}`;
    case "site":
      return `${source.url}${excluded}`;
    default:
      return `${source.at}${excluded}`;
  }
}

export function identityOf(source: CollectionSource): string {
  return contentId(`${source.kind}\0${canonicalSource(source)}`);
}

/** The local path of a source; undefined for remote ones. */
export function localRoot(source: CollectionSource): string | undefined {
  if (source.kind === "folder") return source.root;
  if (source.kind === "git") return source.url.startsWith("file://") ? source.url.slice("file://".length) : undefined;
  if (source.kind === "package" || source.kind === "manifest")
    return /^https?:\/\//.test(source.at) ? undefined : source.at;
  return undefined;
}

function address(text: string): URL {
  if (!URL.canParse(text)) throw badSource(`"${text}" is not an address.`);
  const url = new URL(text);
  url.hostname = url.hostname.toLowerCase();
  return url;
}

function badSource(message: string): DexError {
  return new DexError("bad_source", message, {
    hint: "A source is a folder, a glob, git+https://…, npm:name@range, a .tar.gz or .zip, a web address or a manifest.json.",
  });
}
