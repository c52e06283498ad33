/**
 * The documentation that a process may see: the collections that have a name here, or the few it was opened for, and
 * the store behind them, which knows of no others.
 */
import { DexError } from "../kernel/errors.ts";
import { nearest } from "../kernel/text.ts";
import type { DocumentReader } from "../store/documents.ts";
import { openDocuments } from "../store/sqlite/open_documents.ts";

/** A name that leads to a collection from where the process runs. */
export interface NamedCollection {
  name: string;
  /** Its identity in the store. */
  id: string;
  source: string;
  /** Of the project's `context.json`, or of the user's settings. */
  origin: "project" | "global";
}

/** What a process is limited to, by names. */
export interface LibraryScope {
  /** Undefined: all that have a name. */
  collections?: readonly string[];
  /** False: those of the project alone. */
  global?: boolean;
}

export interface Library {
  reader: DocumentReader;
  /** In the order in which names win. No identity twice. */
  collections: readonly NamedCollection[];
}

/** Throws where a name of the scope leads nowhere: a server that was limited to it must not start without it. */
export function withinScope(known: readonly NamedCollection[], scope: LibraryScope): NamedCollection[] {
  const near = known.filter(({ origin }) => scope.global !== false || origin === "project");
  const named = new Map<string, NamedCollection>();
  for (const each of near) if (!named.has(each.name)) named.set(each.name, each);
  const chosen = scope.collections?.map((name) => named.get(name) ?? missing(name, [...named.keys()]));
  const seen = new Set<string>();
  return (chosen ?? [...named.values()]).filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Identities of the collections with these names; undefined for none: all of the library. */
export function selectCollections(library: Library, names: readonly string[]): string[] | undefined {
  if (names.length === 0) return undefined;
  return names.map((name) => {
    const found = library.collections.find((each) => each.name === name);
    return (
      found ??
      missing(
        name,
        library.collections.map((each) => each.name),
      )
    ).id;
  });
}

export function openLibrary(path: string, collections: readonly NamedCollection[]): Library {
  return { reader: openDocuments(path, { collections: collections.map(({ id }) => id) }), collections };
}

export function sameCollections(a: readonly NamedCollection[], b: readonly NamedCollection[]): boolean {
  return a.length === b.length && a.every(({ id, name }, i) => id === b[i]?.id && name === b[i]?.name);
}

const SHOWN_NAMES = 20;

function missing(name: string, names: readonly string[]): never {
  const meant = nearest(name, names);
  const shown = names.slice(0, SHOWN_NAMES).join(", ");
  throw new DexError("unknown_collection", `There is no collection "${name.slice(0, 100)}" here.`, {
    hint: meant
      ? `Did you mean ${meant}?`
      : names.length === 0
        ? "There are none yet; `dex docs add` makes one."
        : `There are ${shown}${names.length > SHOWN_NAMES ? ", …" : ""}.`,
  });
}
