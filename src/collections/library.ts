/**
 * The documentation that a process may see: the collections that have a name here, or the few it was opened for, and
 * the store behind them, which knows of no others.
 */
import { unknownName } from "../kernel/did_you_mean.ts";
import type { DexError } from "../kernel/errors.ts";
import type { DocumentReader } from "../store/documents.ts";
import { openDocuments } from "../store/engine/documents.ts";
import { type Declared, untrustedError } from "./declared.ts";

/** What a process is limited to, by names. */
export interface LibraryScope {
  /** Undefined: all that have a name. */
  collections?: readonly string[];
  /** False: those of the project alone. */
  global?: boolean;
}

export interface Library {
  reader: DocumentReader;
  /** In the order in which names win; none that a project points at unasked. */
  collections: readonly Declared[];
}

/** What of the declared is spoken of at all. A name of the scope that leads nowhere leads nowhere here. */
export function withinScope(declared: readonly Declared[], { collections, global }: LibraryScope): Declared[] {
  return declared.filter(
    ({ origin, name }) => (global !== false || origin === "project") && (collections?.includes(name) ?? true),
  );
}

/**
 * What of it may be read. A project's file that nobody trusts could else lend its name to what another project has
 * fetched. Throws where a name of the scope leads nowhere: a server that was limited to it must not go without.
 */
export function usable(within: readonly Declared[], scope: LibraryScope): Declared[] {
  return scope.collections ? named(within, scope.collections) : within.filter(({ trusted }) => trusted);
}

function named(near: readonly Declared[], names: readonly string[]): Declared[] {
  return names.map((name) => {
    const found = near.find((each) => each.name === name);
    if (!found) throw missing(name, near);
    if (!found.trusted) throw untrustedError(found);
    return found;
  });
}

/** Identities of the collections with these names; undefined for none: all of the library. */
export function selectCollections(library: Library, names: readonly string[]): string[] | undefined {
  if (names.length === 0) return undefined;
  return named(library.collections, names).map(({ id }) => id);
}

export function openLibrary(path: string, collections: readonly Declared[]): Library {
  return { reader: openDocuments(path, { collections: collections.map(({ id }) => id) }), collections };
}

export function sameCollections(a: readonly Declared[], b: readonly Declared[]): boolean {
  return a.length === b.length && a.every(({ id, name }, i) => id === b[i]?.id && name === b[i]?.name);
}

const SHOWN_NAMES = 20;

function missing(name: string, there: readonly Declared[]): DexError {
  const names = there.map((each) => each.name);
  const shown = names.slice(0, SHOWN_NAMES).join(", ");
  const known = `There are ${shown}${names.length > SHOWN_NAMES ? ", …" : ""}.`;
  const list = names.length === 0 ? "There are none; `dex docs add` makes one." : known;
  const sentence = `There is no collection "${name.slice(0, 100)}" here.`;
  return unknownName({ code: "unknown_collection", sentence, typed: name, names, hint: list });
}
