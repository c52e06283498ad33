/**
 * The documentation that a process may see: the collections declared here, or the few it was limited to, and a store that
 * reads no others.
 */
import { unknownName } from "../kernel/did_you_mean.ts";
import type { DexError } from "../kernel/errors.ts";
import type { DocumentReader } from "../store/documents.ts";
import { openDocuments } from "../store/engine/documents.ts";
import { type Declared, untrustedError } from "./declaring/declared.ts";

/** Limits what a process may see. */
export interface LibraryScope {
  /** Names; undefined: all declared collections. */
  collections?: readonly string[];
  /** False: only collections of the project. */
  global?: boolean;
}

export interface Library {
  reader: DocumentReader;
  /** Trusted collections, in order of precedence. */
  collections: readonly Declared[];
}

/** Declared collections inside the scope. Unknown names in the scope are ignored here. */
export function collectionsInScope(declared: readonly Declared[], { collections, global }: LibraryScope): Declared[] {
  return declared.filter(
    ({ origin, name }) => (global !== false || origin === "project") && (collections?.includes(name) ?? true),
  );
}

/**
 * Collections that may be read. Untrusted ones are left out: an untrusted project file could otherwise expose what another
 * project has fetched. Throws on an unknown name in the scope: a server limited to a collection must not start without it.
 */
export function readableCollections(within: readonly Declared[], scope: LibraryScope): Declared[] {
  return scope.collections ? byName(within, scope.collections) : within.filter(({ trusted }) => trusted);
}

function byName(near: readonly Declared[], names: readonly string[]): Declared[] {
  return names.map((name) => {
    const found = near.find((each) => each.name === name);
    if (!found) throw missing(name, near);
    if (!found.trusted) throw untrustedError(found);
    return found;
  });
}

/** Ids of the collections with these names; undefined without names: the whole library. */
export function selectCollections(library: Library, names: readonly string[]): string[] | undefined {
  if (names.length === 0) return undefined;
  return byName(library.collections, names).map(({ id }) => id);
}

export function openLibrary(path: string, collections: readonly Declared[]): Library {
  return { reader: openDocuments(path, { collections: collections.map(({ id }) => id) }), collections };
}

export function sameCollections(a: readonly Declared[], b: readonly Declared[]): boolean {
  return a.length === b.length && a.every(({ id, name }, i) => id === b[i]?.id && name === b[i]?.name);
}

const MAX_NAMES_SHOWN = 20;

function missing(name: string, there: readonly Declared[]): DexError {
  const names = there.map((each) => each.name);
  const shown = names.slice(0, MAX_NAMES_SHOWN).join(", ");
  const known = `Collections here: ${shown}${names.length > MAX_NAMES_SHOWN ? ", …" : ""}.`;
  const list = names.length === 0 ? "No collections are declared; add one with `dex docs add`." : known;
  const sentence = `There is no collection "${name.slice(0, 100)}" here.`;
  return unknownName({ code: "unknown_collection", sentence, typed: name, names, hint: list });
}
