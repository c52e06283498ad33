/**
 * The documentation that a process may see: the collections declared here, or the few it was limited to, and a store that
 * reads no others.
 */
import { unknownName } from "../kernel/did_you_mean.ts";
import type { DexError } from "../kernel/errors.ts";
import { asObject, asString, parseJson } from "../kernel/json.ts";
import type { DocumentReader, DocumentScope } from "../store/documents.ts";
import { openDocuments } from "../store/engine/documents.ts";
import { type Declared, foldersUp, untrustedError } from "./declaring/declared.ts";
import { chooseVersion, packageOf, type VersionChoice, versionInName } from "./versions/choose.ts";
import { lockedVersion } from "./versions/locked.ts";

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
  /** For packages with several versions here: the collection that fits the project best. */
  choices: readonly VersionChoice[];
  /** Narrows to all collections but those of other versions; empty if there are none. */
  filter: DocumentScope;
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

/**
 * Ids of the collections with these names; the name of a package stands for its best version. Without names: undefined,
 * the whole library, or all collections but those of other versions.
 */
export function selectCollections(library: Library, names: readonly string[]): string[] | undefined {
  if (names.length > 0)
    return byName(
      library.collections,
      names.map((name) => versionFor(library, name)),
    ).map(({ id }) => id);
  return library.filter.collections && [...library.filter.collections];
}

/** `react` stands for `react@18`, unless a collection has that name itself. */
function versionFor({ collections, choices }: Library, name: string): string {
  if (collections.some((each) => each.name === name)) return name;
  const chosen = choices.find((choice) => choice.package === name)?.collection;
  return chosen ?? collections.find((each) => packageOf(each) === name)?.name ?? name;
}

/** Whether it is the name of a collection, or of a package with one. */
export function isCollection(library: Library, name: string): boolean {
  const chosen = versionFor(library, name);
  return library.collections.some((each) => each.name === chosen);
}

/** Documents of the collections that someone declared: not those of the repository itself. */
export function countDeclaredDocuments({ reader, collections }: Library): number {
  const declared = collections.filter(({ implicit }) => !implicit).map(({ id }) => id);
  return declared.length === 0 ? 0 : reader.countDocuments({ collections: declared });
}

/** Sentences about the versions that were used, if one of these collections was chosen among several. */
export function choiceNotices({ choices }: Library, names: readonly string[], used: Iterable<string>): string[] {
  const seen = new Set(used);
  return choices
    .filter(({ collection }) => seen.has(collection) && !names.includes(collection))
    .map(
      ({ collection, reason, others }) =>
        `Searched ${collection}, not ${others.join(", ")}: ${reason} \`-c\` chooses another.`,
    );
}

export function openLibrary(
  path: string,
  collections: readonly Declared[],
  project: { vars: NodeJS.ProcessEnv; cwd: string },
): Library {
  const reader = openDocuments(path, { collections: collections.map(({ id }) => id) });
  return withChoices(reader, collections, project);
}

/** The library of an open reader. Chooses again: the project's lock file may have changed. */
export function withChoices(
  reader: DocumentReader,
  collections: readonly Declared[],
  project: { vars: NodeJS.ProcessEnv; cwd: string },
): Library {
  const choices = choicesAmong(reader, collections, project);
  const others = new Set(choices.flatMap((choice) => choice.others));
  const kept = collections.filter(({ name }) => !others.has(name)).map(({ id }) => id);
  return { reader, collections, choices, filter: others.size > 0 ? { collections: kept } : {} };
}

/** Chooses among the versions of each package that has several here. */
function choicesAmong(
  reader: DocumentReader,
  collections: readonly Declared[],
  project: { vars: NodeJS.ProcessEnv; cwd: string },
): VersionChoice[] {
  const packages = Map.groupBy(collections, packageOf);
  return [...packages].flatMap(([name, versions]) => {
    if (name === undefined || versions.length < 2) return [];
    const candidates = versions.map((each) => ({ ...each, version: documentedVersion(reader, each) }));
    const found = chooseVersion(name, candidates, lockedVersion(foldersUp(project), name));
    return found ? [found.choice] : [];
  });
}

/** The version that a collection documents: of a package the synced one, else the one in its name. */
export function documentedVersion(reader: DocumentReader, { id, name, source }: Declared): string | undefined {
  const state = source.kind === "npm" ? reader.sourceState(id) : undefined;
  return asString(asObject(parseJson(state ?? "")).version) ?? versionInName(name);
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
