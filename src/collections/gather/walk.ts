/**
 * Lists the documents of a folder, by directory listings and stat calls only. Hidden folders that no pattern names,
 * node_modules and files that .gitignore names are skipped; links are followed only inside the folder, and no folder is visited twice.
 */
import { type Dirent, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { formatOfName } from "../../documents/parse.ts";
import { errorMessage, systemCode } from "../../kernel/errors.ts";
import { listFolder } from "../../kernel/files/bounded_list.ts";
import { readRegularFile } from "../../kernel/files/bounded_read.ts";
import { matchesGlob } from "../../kernel/files/glob.ts";
import { isBelow } from "../../kernel/files/paths.ts";
import { type Ignore, isIgnored, parseIgnore, type Rule } from "../../kernel/git/ignore.ts";
import { formatCount } from "../../kernel/text.ts";
import { redactText } from "../../redact/redact.ts";
import type { Trouble } from "./gather.ts";

export interface WalkedFile {
  path: string;
  absolute: string;
  size: number;
  mtimeMs: number;
}

export interface Walk {
  files: WalkedFile[];
  /** Unreadable folders, and limits that were reached. */
  failed: Trouble[];
}

export interface Selection {
  /** Empty: every document. */
  include: readonly string[];
  exclude: readonly string[];
}

const MAX_DEPTH = 40;
const MAX_IGNORE_BYTES = 1 << 20;
/** Limit on directory entries, as a multiple of the limit on documents. */
const ENTRIES_PER_FILE = 20;
const NEVER = new Set(["node_modules", "bower_components", "__pycache__"]);

/** `found` is called with each file, before the next is looked for. */
export function walkFolder(
  root: string,
  selection: Selection,
  maxFiles: number,
  found?: (file: WalkedFile) => void,
): Walk {
  const walker = new Walker(root, selection, maxFiles, found);
  walker.visit({ path: "", absolute: root, real: undefined, ignore: ignoreAbove(root), depth: 0 });
  const { walk } = walker;
  if (walker.isOver) walk.failed.push({ path: ".", error: tooMany(maxFiles) });
  return walk;
}

interface Folder {
  /** Relative to the root of the walk. */
  path: string;
  absolute: string;
  /** Its path without links. Undefined: a link led here. */
  real: string | undefined;
  /** Rules of the folders around it. */
  ignore: Ignore | undefined;
  depth: number;
}

class Walker {
  readonly walk: Walk = { files: [], failed: [] };
  readonly #root: string;
  readonly #selection: Selection;
  readonly #maxFiles: number;
  readonly #found: ((file: WalkedFile) => void) | undefined;
  readonly #chooses: ReturnType<typeof selector>;
  readonly #seen = new Set<string>();
  /** Directory entries that may still be looked at. */
  #left: number;

  constructor(root: string, selection: Selection, maxFiles: number, found?: (file: WalkedFile) => void) {
    this.#root = root;
    this.#selection = selection;
    this.#maxFiles = maxFiles;
    this.#found = found;
    this.#chooses = selector(selection);
    this.#left = maxFiles * ENTRIES_PER_FILE;
  }

  get isOver(): boolean {
    return this.#left < 0 || this.walk.files.length >= this.#maxFiles;
  }

  visit(folder: Folder): void {
    const { real, entries } = list(folder, this.#left + 1, this.walk);
    if (real === undefined || this.#seen.has(real)) return;
    this.#seen.add(real);
    const hasRules = entries.some(({ name }) => name === ".gitignore");
    const ignore = hasRules ? readIgnore(folder.absolute, folder.path, folder.ignore) : folder.ignore;
    for (const entry of entries) {
      this.#left -= 1;
      if (this.isOver) return;
      const path = folder.path === "" ? entry.name : `${folder.path}/${entry.name}`;
      const absolute = join(folder.absolute, entry.name);
      const kind = kindOf(entry, absolute, this.#root);
      if (!kind || isIgnored(ignore, path, kind.isDirectory)) continue;
      if (!kind.isDirectory) this.#file(path, absolute, kind.stats);
      else if (!this.#isLeftOut(path, entry.name)) {
        const inside = entry.isDirectory() ? join(real, entry.name) : undefined;
        this.#folder({ path, absolute, real: inside, ignore, depth: folder.depth + 1 });
      }
    }
  }

  #isLeftOut(path: string, name: string): boolean {
    const isHidden = name.startsWith(".") && !this.#selection.include.some((glob) => glob.startsWith(`${path}/`));
    return isHidden || NEVER.has(name) || this.#chooses.leavesOut(path);
  }

  #folder(folder: Folder): void {
    if (folder.depth <= MAX_DEPTH) this.visit(folder);
    else
      this.walk.failed.push({
        path: `${folder.path}/`,
        error: `It is nested deeper than ${MAX_DEPTH} folders and was not read.`,
      });
  }

  #file(path: string, absolute: string, known: Stats | undefined): void {
    if (!this.#chooses.takes(path)) return;
    const clean = redactText(path);
    if (clean.count > 0) {
      this.walk.failed.push({ path: clean.text, error: "It was left out because its name contains a secret." });
      return;
    }
    const stats = known ?? statSync(absolute, { throwIfNoEntry: false });
    if (!stats) return;
    const file = { path, absolute, size: stats.size, mtimeMs: stats.mtimeMs };
    this.walk.files.push(file);
    this.#found?.(file);
  }
}

export function tooMany(maxFiles: number): string {
  return `The collection has more than ${formatCount(maxFiles)} documents or far more other files; dex did not read the rest. Choose a smaller part of it, or raise docs.maxFiles.`;
}

/** `docs/**` matches documents only; a pattern that names a file matches it regardless of its extension. */
export function selector({ include, exclude }: Selection): {
  takes(path: string): boolean;
  leavesOut(path: string): boolean;
} {
  const out = exclude.flatMap((glob) => [glob, `${glob.replace(/\/$/, "")}/**`]);
  const leavesOut = (path: string): boolean => out.some((glob) => matchesGlob(path, glob));
  return {
    leavesOut,
    takes: (path) => {
      const named = include.length === 0 ? isDocument(path) : include.some((glob) => fitsGlob(path, glob));
      return named && !leavesOut(path);
    },
  };
}

function fitsGlob(path: string, glob: string): boolean {
  if (glob === path) return true;
  // A glob without an extension, like docs/**, matches documents only.
  const open = /(?:^|\/)\*{1,2}$/.test(glob);
  return matchesGlob(path, glob) && (!open || isDocument(path));
}

const PLAIN_NAMES = /(?:^|\/)(?:readme|changelog|changes|contributing|install|faq|history|news|upgrading)$/i;

export function isDocument(path: string): boolean {
  return formatOfName(path) !== undefined || PLAIN_NAMES.test(path);
}

function list(
  { path, absolute, real }: Folder,
  maxEntries: number,
  walk: Walk,
): { real: string | undefined; entries: Dirent[] } {
  try {
    const { entries } = listFolder(absolute, maxEntries);
    // Sorted by name: the same walk on every machine.
    entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    return { real: real ?? realpathSync(absolute), entries };
  } catch (error) {
    // The root must exist; a folder below it may have been deleted meanwhile.
    if (path === "") throw error;
    if (systemCode(error) !== "ENOENT")
      walk.failed.push({
        path: `${path}/`,
        error: `The folder cannot be read (${systemCode(error) ?? errorMessage(error)}).`,
      });
    return { real: undefined, entries: [] };
  }
}

function kindOf(entry: Dirent, at: string, root: string): { isDirectory: boolean; stats?: Stats } | undefined {
  if (entry.isDirectory()) return { isDirectory: true };
  if (entry.isFile()) return { isDirectory: false };
  if (!entry.isSymbolicLink()) return undefined;
  try {
    // A link that leads out of the folder could expose any file of the user.
    if (!isBelow(root, realpathSync(at))) return undefined;
    const stats = statSync(at);
    return stats.isDirectory() || stats.isFile() ? { isDirectory: stats.isDirectory(), stats } : undefined;
  } catch {
    return undefined;
  }
}

function readIgnore(absolute: string, folder: string, above: Ignore | undefined): Ignore | undefined {
  const text = readRegularFile(join(absolute, ".gitignore"), MAX_IGNORE_BYTES)?.toString("utf8");
  return text === undefined ? above : parseIgnore(text, folder, above);
}

/** Ignore rules of the folders above, up to the repository root, which apply here too. */
function ignoreAbove(root: string): Ignore | undefined {
  const folders: string[] = [];
  let at = root;
  while (!statSync(join(at, ".git"), { throwIfNoEntry: false })) {
    const up = dirname(at);
    if (up === at || folders.length > 64) return undefined;
    folders.push(up);
    at = up;
  }
  let ignore: Ignore | undefined;
  for (const folder of folders.reverse()) {
    const read = readIgnore(folder, "", undefined);
    const below = root.slice(folder.length + 1).replaceAll("\\", "/");
    if (read && read !== ignore)
      ignore = { folder: "", rules: read.rules.map((rule) => under(rule, below)), above: ignore };
  }
  return ignore;
}

/** A rule of a folder above, applied to paths relative to a folder below. */
function under(rule: Rule, below: string): Rule {
  return { ...rule, pattern: { test: (path) => rule.pattern.test(`${below}/${path}`) } };
}
