/** Adds and removes declarations of collections, in a project's context.json or in dex's config.yaml, keeping comments and order. */
import { existsSync, lstatSync, readFileSync, rmSync } from "node:fs";
import { withConfigLock, writeConfig } from "../../config/file.ts";
import { isTrusted, trustFiles } from "../../config/trust.ts";
import { DexError } from "../../kernel/errors.ts";
import { writeFileAtomic } from "../../kernel/files/atomic_write.ts";
import { pathBelow } from "../../kernel/files/paths.ts";
import { type CollectionsContext, readContextFile, readProjectText, staysInside } from "./declared.ts";
import { type CollectionSource, canonicalSource, localRoot, realPath } from "./source.ts";

/** The entry as written to the file. Paths inside the project are relative to it, so the file can be shared. */
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

/** Returns the text with the entry set, or removed (undefined), in the user's own layout. */
async function editJson(text: string, name: string, entry: object | undefined): Promise<string> {
  const { modify, applyEdits } = await import("jsonc-parser");
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: "\n" };
  return applyEdits(text, modify(text, ["collections", name], entry, { formattingOptions }));
}

/** A file with nothing else, after its last collection is removed. */
const EMPTY = /^\s*\{\s*"collections"\s*:\s*\{\s*\}\s*\}\s*$/;

/**
 * Writes a project's context.json. The user's own addition is trusted with the file, unless the file already had
 * other untrusted sources outside the project, or entries that dex cannot read, which would become trusted with it.
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
  // `lstat` also sees a dangling link, which must not be written through.
  const there = lstatSync(file, { throwIfNoEntry: false });
  const before = there ? readProjectText(file) : undefined;
  const known = before === undefined ? undefined : readContextFile(file);
  const mayTrust =
    known === undefined ||
    isTrusted(context.paths.trust, file, known.content) ||
    (known.problems.length === 0 &&
      known.entries.every((each) => each.name === name || staysInside(each.source, known.folder)));
  const text = await editJson(before ?? "{}\n", name, entry);
  const content = text.endsWith("\n") ? text : `${text}\n`;
  if (entry === undefined && there?.isFile() && EMPTY.test(content)) return rmSync(file);
  writeFileAtomic(file, content, there?.isFile() ? there.mode & 0o777 : 0o644);
  if (mayTrust) trustFiles(context.paths.trust, new Map([[file, content]]));
}

export async function declareGlobally(
  context: CollectionsContext,
  name: string,
  entry: { url: string; exclude?: string[]; include?: string[] } | undefined,
): Promise<void> {
  const { config } = context.paths;
  if (entry?.include) {
    throw new DexError("bad_source", "A global collection has exactly one folder or glob.", {
      hint: "Use {a,b} in the glob, or add two collections.",
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
    throw new DexError("bad_config", `${config} is not valid YAML: ${document.errors[0]?.message ?? ""}`, {
      hint: "Correct it with `dex config edit`.",
    });
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
