/**
 * What the code graph says to questions about history: where a symbol is defined, what a changed line is in, who calls
 * what is deprecated. Only where the project was indexed; otherwise the text alone has to tell.
 */

import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { findProject, openCode } from "../code/project.ts";
import { MAX_BYTES } from "../code/skip.ts";
import type { Dex } from "../dex.ts";
import type { Deprecation } from "../history/deprecations.ts";
import type { Repository } from "../history/repository.ts";
import { type Locate, locateByText, type Place, type SymbolsAt } from "../history/symbols.ts";
import { DexError } from "../kernel/errors.ts";
import { readContainedFile } from "../kernel/files/bounded_read.ts";
import type { RunContext } from "../run_context.ts";
import type { CodeReader, EntityRow } from "../store/code.ts";

/** Lines of one hunk that are looked up. */
const MOST_LINES = 2000;

/** The graph of the repository's code, up to date; undefined where it was never indexed. */
export async function codeGraph(
  dex: Dex,
  repository: Repository,
  context: RunContext,
): Promise<CodeReader | undefined> {
  const project = findProject(dex.paths.code, repository.root);
  if (project.root !== repository.root || !existsSync(project.path)) return undefined;
  // What reads code is large, and not needed where there is no graph.
  const { openFresh } = await import("../code/open.ts");
  return unlessBroken(async () => (await openFresh(project, { now: dex.now, ...context })).store);
}

/** Runs with what tells whether a name is defined in the project, by the graph as the last run left it. */
export async function withKnownSymbols<T>(
  dex: Dex,
  repository: Repository,
  work: (knows: ((name: string) => true | undefined) | undefined) => Promise<T>,
): Promise<T> {
  const project = findProject(dex.paths.code, repository.root);
  if (project.root !== repository.root || !existsSync(project.path)) return work(undefined);
  const store = await unlessBroken(async () => openCode(project).store);
  if (!store) return work(undefined);
  try {
    // A name that is not there may have been: only what is known counts.
    return await work((name) => store.named(name).some(isDefinition) || undefined);
  } finally {
    store.close();
  }
}

/** A graph that cannot be read is `dex code`'s to report. */
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

/** By the graph; a name it does not have is looked for in the text. */
export function locateIn(store: CodeReader | undefined): Locate {
  return async (repository, name) => {
    const found = store ? placesOf(store, repository, name) : [];
    return found.length > 0 ? found : locateByText(repository, name.split(".").at(-1) ?? name);
  };
}

function placesOf(store: CodeReader, repository: Repository, name: string): Place[] {
  const entities = (name.includes(".") ? store.qualified(name) : store.named(name)).filter(isDefinition);
  return entities.flatMap(({ path, first_line, last_line }) =>
    sameContent(store, repository, path) ? [{ file: path, first: first_line, last: last_line }] : [],
  );
}

/** The file's bytes, when they are those that the graph was made from. */
function sameContent(store: CodeReader, repository: Repository, path: string): Buffer | undefined {
  const bytes = readContainedFile(repository.root, path, MAX_BYTES);
  return bytes && hash("sha1", bytes, "hex") === store.file(path)?.hash ? bytes : undefined;
}

/** What lines of the file are in, for a commit that left it as it is now. */
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
    for (let line = first; line <= Math.min(last, first + MOST_LINES); line += 1) {
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

/**
 * Who uses a deprecated function: its callers, and of the files in which its name stands those that import its file or
 * may call it. Undefined where the graph cannot tell: it follows calls, not every mention of a type or constant.
 */
export function usersIn(
  store: CodeReader,
  { file, symbol }: Deprecation,
  named: readonly string[],
): string[] | undefined {
  const row = store.file(file);
  const all = row ? store.entities(row.no) : [];
  const own = all.filter(({ name, kind }) => name === symbol && (kind === "function" || kind === "method"));
  if (own.length === 0) return undefined;
  const users = new Set<string>();
  const possible = new Set<string>();
  for (const { entity, edge } of own.flatMap(({ no }) => store.incoming(no, ["CALLS"]))) {
    (edge.resolution === "ambiguous" ? possible : users).add(entity.path);
  }
  for (const { entity } of store.incoming(all[0]?.no ?? -1, ["IMPORTS"])) possible.add(entity.path);
  for (const path of named) if (possible.has(path) || !store.file(path)) users.add(path);
  return [...users].sort();
}
