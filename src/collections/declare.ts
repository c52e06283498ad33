/** Adding and removing declarations: in a project's context.json, or in dex's config.yaml, comments and order untouched. */
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { withConfigLock, writeConfig } from "../config/file.ts";
import { isTrusted, trustFiles } from "../config/trust.ts";
import { DexError } from "../kernel/errors.ts";
import { writeFileAtomic } from "../kernel/files/atomic_write.ts";
import { pathBelow } from "../kernel/files/paths.ts";
import { type CollectionsContext, readContextFile, readProjectText, staysInside } from "./declared.ts";
import { type CollectionSource, canonicalSource, localRoot, parseSource, realPath } from "./source.ts";

/** As it is written down: paths below the project relative to it, so that the file can be shared. */
export function entryOf(
  source: CollectionSource,
  folder: string | undefined,
): { url: string; include?: string[]; exclude?: string[] } {
  const { exclude } = source;
  const rest = exclude.length > 0 ? { exclude: [...exclude] } : {};
  if (source.kind === "folder") {
    const [first, ...more] = source.include;
    const root = localUrl(source.root, folder);
    if (first === undefined) return { url: root, ...rest };
    const include = more.map((glob) => `${root}/${glob}`);
    return { url: `${root}/${first}`, ...(include.length > 0 ? { include } : {}), ...rest };
  }
  if (source.kind === "package" || source.kind === "manifest") {
    return { url: localRoot(source) === undefined ? source.at : localUrl(source.at, folder), ...rest };
  }
  return { url: canonicalSource({ ...source, exclude: [] }), ...rest };
}

function localUrl(path: string, folder: string | undefined): string {
  const below = folder === undefined ? undefined : pathBelow(realPath(folder), path);
  if (below === undefined) return path;
  return below === "" ? "file://." : `file://./${below}`;
}

/** The whole text with the entry put in, or taken out (undefined). The user's own layout of the file stays. */
async function editJson(text: string, name: string, entry: object | undefined): Promise<string> {
  const { modify, applyEdits } = await import("jsonc-parser");
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: "\n" };
  return applyEdits(text, modify(text, ["collections", name], entry, { formattingOptions }));
}

/**
 * Writes a project's context.json. What the user adds himself is trusted with it, unless the file already pointed
 * elsewhere without his word: that would be trusted along.
 */
export async function declareInProject(
  context: CollectionsContext,
  file: string,
  name: string,
  entry: object | undefined,
): Promise<void> {
  await withConfigLock(context.paths.config, () => writeInProject(context, file, name, entry));
}

async function writeInProject(
  context: CollectionsContext,
  file: string,
  name: string,
  entry: object | undefined,
): Promise<void> {
  // Also a link to nothing: it is not written through.
  const there = lstatSync(file, { throwIfNoEntry: false });
  const before = there ? readProjectText(file) : undefined;
  const known = before === undefined ? undefined : readContextFile(file);
  const innocent =
    known === undefined ||
    isTrusted(context.paths.trust, file, known.content) ||
    known.entries.every(({ words }) => staysInside(parseSource(words, known.folder), known.folder));
  const text = await editJson(before ?? "{}\n", name, entry);
  const content = text.endsWith("\n") ? text : `${text}\n`;
  writeFileAtomic(file, content, there?.isFile() ? there.mode & 0o777 : 0o644);
  if (innocent) trustFiles(context.paths.trust, new Map([[file, content]]));
}

export async function declareGlobally(
  context: CollectionsContext,
  name: string,
  entry: { url: string; exclude?: string[]; include?: string[] } | undefined,
): Promise<void> {
  const { config } = context.paths;
  if (entry?.include) {
    throw new DexError("bad_source", "A global collection takes one folder or glob.", {
      hint: "Use {a,b} in the glob, or add two.",
    });
  }
  const yaml = await import("yaml");
  await withConfigLock(config, () => writeGlobally(yaml, config, name, entry));
}

function writeGlobally(
  { parseDocument, isMap }: typeof import("yaml"),
  config: string,
  name: string,
  entry: { url: string; exclude?: string[] } | undefined,
): void {
  const document = parseDocument(existsSync(config) ? readFileSync(config, "utf8") : "");
  if (document.errors.length > 0) {
    throw new DexError("bad_config", `${config} is not valid YAML: ${document.errors[0]?.message ?? ""}`);
  }
  const path = ["docs", "collections", name];
  if (entry) {
    const { exclude, url } = entry;
    document.setIn(path, exclude ? document.createNode({ url, exclude }) : document.createNode({ url }));
  } else {
    document.deleteIn(path);
    const left = document.getIn(["docs", "collections"]);
    if (isMap(left) && left.items.length === 0) document.deleteIn(["docs", "collections"]);
    const docs = document.get("docs");
    if (isMap(docs) && docs.items.length === 0) document.delete("docs");
  }
  const empty = isMap(document.contents) && document.contents.items.length === 0;
  writeConfig(config, empty ? "" : document.toString({ lineWidth: 0 }));
}
