/**
 * The files of a project as the resolver needs them. Each is read from the store on demand, so resolving one changed file
 * does not load the others.
 */
import type { CodeFacts, EntityKind } from "../../../store/code.ts";
import { type PublicFacts, parsePublicFacts } from "../../facts.ts";
import type { Family } from "../../languages/language.ts";
import { familyOf } from "../../languages/registry.ts";
import type { ProjectFiles } from "../../modules/module.ts";

/** A definition: its file, and its slot there; -1 is the file itself. */
export interface DefinitionRef {
  path: string;
  slot: number;
}

/** A definition that can be found by its name alone: a top-level one, or a method. */
export interface NamedDefinition extends DefinitionRef {
  family: Family;
  kind: EntityKind;
  member: boolean;
  /** The kind of the definition around it. */
  owner: string;
  exported: boolean;
}

export interface WholeProject extends ProjectFiles {
  /** Ordered by path and slot. `inTests`: functions of C in tests instead. */
  named(name: string, inTests?: boolean): readonly NamedDefinition[];
  /** The file's number in the store. */
  number(path: string): number | undefined;
}

/** Names whose definitions are kept at once. */
const MAX_NAMES = 10_000;

export function projectFiles(store: CodeFacts): WholeProject {
  const rows = store.known();
  const numbers = new Map(rows.map(({ path, no }) => [path, no]));
  // One string for all definitions of a file.
  const sharedPaths = new Map(rows.map(({ path }) => [path, path]));
  const factsOf = (path: string): PublicFacts => parsePublicFacts(store.outside(numbers.get(path) ?? -1));
  const configs = new Map<string, string>();
  for (const { path, language } of rows) if (language === "config") configs.set(path, factsOf(path).config ?? "");
  const names = new Map<string, NamedDefinitions>();
  const named = (name: string): NamedDefinitions => {
    const known = names.get(name);
    if (known) return known;
    const found = definitionsNamed(store, name, sharedPaths);
    if (names.size >= MAX_NAMES) names.clear();
    names.set(name, found);
    return found;
  };
  return {
    configs,
    surfaces: { get: (path) => (numbers.has(path) ? factsOf(path).surface : undefined) },
    paths: { has: (path) => numbers.has(path), [Symbol.iterator]: () => numbers.keys() },
    modules: () => rows,
    number: (path) => numbers.get(path),
    named: (name, inTests) => (inTests ? (named(name).inTests ?? []) : named(name).found),
  };
}

interface NamedDefinitions {
  found: readonly NamedDefinition[];
  inTests?: readonly NamedDefinition[];
}

/**
 * Nothing calls a test; of the other definitions in test files only classes count, because they can be extended, and
 * functions of C, which other tests may declare.
 */
function definitionsNamed(store: CodeFacts, name: string, sharedPaths: ReadonlyMap<string, string>): NamedDefinitions {
  const found: NamedDefinition[] = [];
  const inTests: NamedDefinition[] = [];
  for (const { path, slot, kind, owner, language, test, exported } of store.places(name)) {
    const isHelper = test && kind === "function" && familyOf(language) === "c";
    if (kind === "test" || (test && kind !== "class" && !isHelper)) continue;
    const top = owner === "file" || owner === "module";
    const isNested =
      (language === "ruby" && (kind === "class" || kind === "module")) || (language === "cpp" && kind === "class");
    if (top || kind === "method" || isNested)
      (isHelper ? inTests : found).push({
        path: sharedPaths.get(path) ?? path,
        slot: slot - 1,
        family: familyOf(language),
        kind,
        member: !top,
        owner,
        exported,
      });
  }
  return inTests.length > 0 ? { found, inTests } : { found };
}
