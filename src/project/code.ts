/**
 * Answers of the code graph for history: where a symbol is defined, which definition a changed line is in. Without an
 * index, callers fall back to text search.
 */
import { hash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { MAX_BYTES } from "../code/listing/skip.ts";
import { findCodeProject, openCode } from "../code/project.ts";
import type { Dex } from "../dex.ts";
import type { Repository } from "../history/repository.ts";
import { type LineRange, type Locate, locateByText, type SymbolsAt } from "../history/symbols.ts";
import { DexError } from "../kernel/errors.ts";
import { readContainedFile } from "../kernel/files/bounded_read.ts";
import type { RunContext } from "../run_context.ts";
import type { CodeReader, EntityRow } from "../store/code.ts";

/** Lines looked up per hunk. */
const MAX_LINES = 2000;

/** The refreshed graph of the repository's code; undefined if it was never indexed. */
export async function codeGraph(
  dex: Dex,
  repository: Repository,
  context: RunContext,
): Promise<CodeReader | undefined> {
  const project = findCodeProject(dex.paths.code, repository.root);
  if (project.root !== repository.root || !existsSync(project.path)) return undefined;
  // Imported lazily: the code reader is large, and not needed without a graph.
  const { openFresh } = await import("../code/open.ts");
  return unlessBroken(async () => (await openFresh(dex.caches, project, { now: dex.now, ...context })).store);
}

/** The same; but the current folder's repository gets an index if it is small. An agent cannot index another by naming it. */
export async function firstCodeGraph(
  dex: Dex,
  repository: Repository,
  context: RunContext,
): Promise<CodeReader | undefined> {
  const here = findCodeProject(dex.paths.code, dex.cwd);
  if (here.root === repository.root) {
    const { indexUnasked } = await import("../code/open.ts");
    await unlessBroken(() => indexUnasked(here, { now: dex.now, progress: context.progress }));
  }
  return codeGraph(dex, repository, context);
}

/**
 * Passes `work` a function that tells whether the project defines a name, from the stored graph, and a stamp that changes
 * with the graph.
 */
export async function withKnownSymbols<T>(
  dex: Dex,
  repository: Repository,
  work: (knows?: (name: string) => true | undefined, stamp?: string) => Promise<T>,
): Promise<T> {
  const project = findCodeProject(dex.paths.code, repository.root);
  if (project.root !== repository.root || !existsSync(project.path)) return work();
  const store = await unlessBroken(async () => openCode(project).store);
  if (!store) return work();
  try {
    // A missing name may have existed before: only a positive answer counts.
    const stamp = databaseStamp(project.path);
    return await work((name) => store.named(name).some(isDefinition) || undefined, stamp);
  } finally {
    store.close();
  }
}

/** Changes with the stored graph; empty without one. */
export function graphStamp(dex: Dex, { root }: Repository): string {
  return databaseStamp(findCodeProject(dex.paths.code, root).path);
}

/** Only a write changes the size or modification time of the file or of its log; opening the database does not. */
function databaseStamp(path: string): string {
  return [path, `${path}-wal`]
    .map((file) => statSync(file, { throwIfNoEntry: false }))
    .map((stats) => `${stats?.size} ${stats?.mtimeMs}`)
    .join(" ");
}

/** `dex code` reports an unreadable graph. */
async function unlessBroken<T>(open: () => Promise<T>): Promise<T | undefined> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof DexError) return undefined;
    throw error;
  }
}

function isDefinition({ kind }: EntityRow): boolean {
  return kind !== "file" && kind !== "test";
}

/** Finds a symbol in the graph, or in the text if the graph does not have it. */
export function locateIn(store: CodeReader | undefined): Locate {
  return async (repository, name) => {
    const found = store ? placesOf(store, repository, name) : [];
    return found.length > 0 ? found : locateByText(repository, name.split(".").at(-1) ?? name);
  };
}

function placesOf(store: CodeReader, repository: Repository, name: string): LineRange[] {
  const entities = (name.includes(".") ? store.qualified(name) : store.named(name)).filter(isDefinition);
  return entities.flatMap(({ path, first_line, last_line }) =>
    sameContent(store, repository, path) ? [{ file: path, first: first_line, last: last_line }] : [],
  );
}

/** The file's bytes if they are unchanged since the graph was made. */
function sameContent(store: CodeReader, repository: Repository, path: string): Buffer | undefined {
  const bytes = readContainedFile(repository.root, path, MAX_BYTES);
  return bytes && hash("sha1", bytes, "hex") === store.file(path)?.hash ? bytes : undefined;
}

/** Finds the definitions of changed lines, for a commit that left the file in its current state. */
export function symbolsIn(store: CodeReader, repository: Repository, path: string): SymbolsAt | undefined {
  const file = store.file(path);
  const bytes = file && sameContent(store, repository, path);
  if (!file || !bytes) return undefined;
  const named = Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]);
  const blobs = new Set([hash("sha1", named, "hex"), hash("sha256", named, "hex")]);
  const entities = store.entities(file.no).filter(isDefinition);
  if (entities.length === 0) return undefined;
  return (blob, first, last) => {
    if (!blobs.has(blob)) return undefined;
    const names = new Set<string>();
    for (let line = first; line <= Math.min(last, first + MAX_LINES); line += 1) {
      const inner = innermost(entities, line);
      if (inner) names.add(inner.qualified);
    }
    return [...names];
  };
}

function innermost(entities: readonly EntityRow[], line: number): EntityRow | undefined {
  let best: EntityRow | undefined;
  for (const each of entities) {
    if (each.first_line > line || each.last_line < line) continue;
    if (!best || each.last_line - each.first_line <= best.last_line - best.first_line) best = each;
  }
  return best;
}
