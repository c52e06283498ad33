/**
 * Finds a test in the working tree by the name that its runner gave it, and the files that it covers: those it imports,
 * directly or not, by the code graph.
 */
import { statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import type { TestState } from "../../history/outcomes/latest.ts";
import { insidePath, type Repository } from "../../history/repository.ts";
import { listNames } from "../../kernel/files/bounded_list.ts";
import { readContainedText } from "../../kernel/files/bounded_read.ts";
import type { CodeReader } from "../../store/code.ts";

const MAX_FILE_BYTES = 2 << 20;
const MAX_FOLDER_FILES = 1000;
const MAX_COVERED_FILES = 2000;
/** Shorter parts of a name occur everywhere. */
const MIN_NAME_CHARS = 3;

export interface NamedTest {
  /** Texts, at least one of which its file contains, the most specific first. */
  marks: string[];
  /** The files it may be in, as far as its runner named them. */
  files: string[];
}

export function namedTest(repository: Repository, test: TestState): NamedTest {
  return test.runner === "go test"
    ? { marks: [`func ${goName(test.name)}(`], files: goFiles(repository, test) }
    : { marks: marksOf(test.name), files: fileOf(repository, test.file) };
}

/** `TestOpen/empty_file` is a subtest, or a method of a suite. */
function goName(name: string): string {
  return name.split("/")[0] ?? name;
}

/** Parameters and generated parts are not in the source, so the names around a test count, too. */
function marksOf(name: string): string[] {
  const parts = name.split(/ > | › |::|#/).map((part) => part.replace(/\[.*\]$|\(.*\)$/s, "").trim());
  return parts.filter((part) => part.length >= MIN_NAME_CHARS).reverse();
}

function fileOf(repository: Repository, file: string | null): string[] {
  if (file === null) return [];
  const path = insidePath(repository, file, repository.root);
  if (path === undefined) return [];
  const stats = statSync(join(repository.root, path), { throwIfNoEntry: false });
  return stats?.isFile() ? [path] : [];
}

/** The test files of a Go package: the longest end of its import path that is a folder here. */
function goFiles(repository: Repository, { file, folder }: TestState): string[] {
  if (file === null) return [];
  const parts = file.split("/").filter((part) => !/^\.*$/.test(part));
  const inside = folder === undefined ? undefined : insidePath(repository, join(folder, "x"), repository.root);
  const bases = inside === undefined ? [""] : ["", dirname(inside)];
  for (let from = 0; from <= parts.length; from += 1) {
    for (const base of bases) {
      const path = posix.join(base, ...parts.slice(from));
      const { names } = listNames(join(repository.root, path), MAX_FOLDER_FILES);
      const tests = names.filter((name) => name.endsWith("_test.go"));
      if (tests.length > 0) return tests.map((name) => posix.join(path, name));
    }
  }
  return [];
}

/** The files that contain the most specific mark of the test. */
export function filesWith(repository: Repository, { marks, files }: NamedTest): string[] {
  const texts = files.map((path) => ({ path, text: readContainedText(repository.root, path, MAX_FILE_BYTES) ?? "" }));
  for (const mark of marks) {
    const found = texts.filter(({ text }) => text.includes(mark)).map(({ path }) => path);
    if (found.length > 0) return found;
  }
  return [];
}

/** Files whose change changes every test: manifests, lock files, settings of compilers and runners. */
const SHARED =
  /(?:^|\/)(?:package(?:-lock)?\.json|bun\.lockb?|pnpm-lock\.yaml|yarn\.lock|go\.(?:mod|sum)|Cargo\.(?:toml|lock)|pyproject\.toml|setup\.(?:py|cfg)|requirements[\w.-]*\.txt|(?:uv|poetry|composer)\.lock|Gemfile(?:\.lock)?|pom\.xml|build\.gradle(?:\.kts)?|tsconfig[\w.-]*\.json|conftest\.py|pytest\.ini|tox\.ini|Makefile|(?:vite|vitest|jest|babel)\.config\.\w+|bunfig\.toml|\.?mise\.toml)$/;

/** Tells whether the test covers a file; without a graph, or without an import in it, it may cover every one. */
export function coverageOf(graph: CodeReader | undefined, tests: readonly string[]): (path: string) => boolean {
  const covered = graph && importedBy(graph, tests);
  if (!covered) return (path) => SHARED.test(path) || !NOT_CODE.test(path);
  const folders = tests.map((path) => `${posix.dirname(path)}/`);
  return (path) => covered.has(path) || SHARED.test(path) || folders.some((folder) => path.startsWith(folder));
}

/** Documents, pictures, logs and reports. */
const NOT_CODE =
  /\.(?:md|markdown|mdx|txt|rst|adoc|svg|png|jpe?g|gif|ico|xml|log|tap)$|(?:^|\/)(?:LICENSE|\.gitignore)$/i;

function importedBy(graph: CodeReader, tests: readonly string[]): Set<string> | undefined {
  const found = new Set<string>();
  const open = [...tests];
  let code = false;
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    if (found.size > MAX_COVERED_FILES) return undefined;
    const file = graph.file(path);
    const root = file && graph.entities(file.no)[0];
    if (!root) continue;
    code ||= !file.test;
    for (const { entity } of graph.outgoing(root.no, ["IMPORTS", "TESTS"])) open.push(entity.path);
    if (file.language === "go") open.push(...samePackage(graph, path));
  }
  // A test that starts the program imports nothing of it.
  return code ? found : undefined;
}

/** The files of a Go package need no imports between them. */
function samePackage(graph: CodeReader, path: string): string[] {
  const folder = posix.dirname(path);
  return graph
    .known(folder === "." ? undefined : folder)
    .map((file) => file.path)
    .filter((other) => other.endsWith(".go") && posix.dirname(other) === folder);
}
