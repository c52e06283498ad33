/**
 * The facts of one file on its own: its definitions, imports, calls and bases. They are a pure function of the file's
 * text, so they are stored with the file's hash and extracted again only when the hash changes.
 *
 * Names that the file itself explains (its own definitions, locals, imports) are already resolved here. The rest are
 * expressions, which the resolver evaluates against the other files.
 */
import type { EntityKind } from "../store/code.ts";
import type { Expression, FunctionType } from "./expression.ts";

/** A definition. Its slot is its index in the list of definitions. */
export interface EntityFact {
  kind: EntityKind;
  name: string;
  /** Names from the outermost down, joined by dots; the file is not part of it. */
  qualified: string;
  /** Slot of the enclosing definition; -1: the file. */
  parent: number;
  exported: boolean;
  signature: string;
  doc: string;
  first: number;
  last: number;
  /** Hash of its text. */
  hash: string;
  /** The value of a constant or getter; the aliased type of a type alias. */
  value?: Expression;
  /** The result of calling it. */
  returns?: Expression;
  /** Rust: the result is, or wraps, its type parameter at this position; -1: the one of the trait around it. */
  generic?: number;
  /** Callback parameters by index: the types of the arguments each callback receives. */
  takes?: Record<number, (Expression | null)[]>;
  /** TypeScript: the types of its parameters; of an interface, those of its call signatures. */
  type?: FunctionType;
  /** The type that an extension method adds itself to; `?` for a type of the language's own library. */
  extends?: Expression;
  /** Ruby, JavaScript: a method of the class or module itself, not of its instances. */
  ofClass?: true;
  /** C++: a class declares the method, and its body is elsewhere. */
  isDeclaration?: true;
  /** JavaScript: a member of an object, or of an object type, without a name; not a member of the definition around it. */
  isInline?: true;
  /** C: a macro with parameters. */
  isMacro?: true;
  /** PHP: a trait, of which there are no instances. */
  isTrait?: true;
  /** C++, Java, C#: the least and the greatest number of arguments that it takes. */
  parameters?: readonly [number, number];
}

/** A named member without a definition of its own: a field. */
export interface PropertyFact {
  owner: number;
  name: string;
  value: Expression;
}

export interface ImportFact {
  /** As written: `./a.ts`, `os.path`, `crate::x::y`. */
  source: string;
  /** The name in the source; `*`: the whole module as one value; `default`; empty: imported for side effects. */
  name: string;
  line: number;
  /** The local name, where importing makes it visible to other files (Python). */
  local?: string;
  /** The local name that a module inside the file gives it (Rust). */
  inner?: string;
  /** A star import: all public names of the source become names of this file. */
  star?: true;
}

/** A name that other files can import from this one although no definition here has that name. */
export interface ExportFact {
  name: string;
  /** The exported value; absent when `star` is set. */
  value?: Expression;
  /** Index of the import that is re-exported whole. */
  star?: number;
}

export interface CallFact {
  /** Slot of the enclosing definition; -1: the file. */
  from: number;
  line: number;
  callee: Expression;
  made?: true;
  /** C++, Java: the number of arguments. */
  given?: number;
  /** A name alone, which may be a variable, or in C a type: dex never guesses its definition. */
  bare?: true;
}

/** How a name is used other than by a call: as a type, as a value, or as the target of an assignment. */
export type UseKind = "type" | "read" | "write";

/** All uses of one definition, import or member by one definition. */
export interface UseFact {
  /** Slot of the enclosing definition; -1: the file. */
  from: number;
  kind: UseKind;
  target: Expression;
  lines: number[];
}

export interface BaseFact {
  slot: number;
  kind: "extends" | "implements";
  line: number;
  target: Expression;
  /** TypeScript: the type arguments that it is given. */
  of?: (Expression | null)[];
}

/** The part of a file that other files can see. Edges of other files depend on this and on nothing else of it. */
export interface Surface {
  language: string;
  /** The package or namespace it declares, in languages that have one. */
  module: string;
  /** Go: the condition under which it is built, if a usual build leaves it out. */
  build?: string;
  entities: readonly SurfaceEntity[];
  properties: readonly PropertyFact[];
  imports: readonly ImportFact[];
  exports: readonly ExportFact[];
  bases: readonly BaseFact[];
  /** Functions that it declares and another file defines (C). */
  declared?: readonly string[];
}

export type SurfaceEntity = Pick<
  EntityFact,
  | "kind"
  | "name"
  | "qualified"
  | "parent"
  | "exported"
  | "value"
  | "returns"
  | "generic"
  | "takes"
  | "type"
  | "extends"
  | "ofClass"
  | "isDeclaration"
  | "isInline"
  | "isMacro"
  | "isTrait"
  | "parameters"
>;

export interface FileFacts {
  language: string;
  module: string;
  build?: string;
  entities: EntityFact[];
  properties: PropertyFact[];
  imports: ImportFact[];
  exports: ExportFact[];
  bases: BaseFact[];
  declared: string[];
  calls: CallFact[];
  uses: UseFact[];
  /** Text that a document puts in backticks or links to: names and paths it may refer to. */
  mentions: { text: string; line: number }[];
  lines: number;
  /** The grammar could not parse all of the text. */
  broken: boolean;
}

export function emptyFacts(language: string): FileFacts {
  return {
    language,
    module: "",
    entities: [],
    properties: [],
    imports: [],
    exports: [],
    bases: [],
    declared: [],
    calls: [],
    uses: [],
    mentions: [],
    lines: 0,
    broken: false,
  };
}

export function surfaceOf(facts: FileFacts): Surface {
  return {
    language: facts.language,
    module: facts.module,
    ...(facts.build === undefined ? {} : { build: facts.build }),
    entities: facts.entities.map(
      ({
        kind,
        name,
        qualified,
        parent,
        exported,
        value,
        returns,
        generic,
        takes,
        type,
        extends: added,
        ofClass,
        isDeclaration,
        isInline,
        isMacro,
        isTrait,
        parameters,
      }) => ({
        kind,
        name,
        qualified,
        parent,
        exported,
        value,
        returns,
        generic,
        takes,
        type,
        extends: added,
        ofClass,
        isDeclaration,
        isInline,
        isMacro,
        isTrait,
        parameters,
      }),
    ),
    properties: facts.properties,
    // Lines are left out: they may move without anything else changing.
    imports: facts.imports.map((each) => ({ ...each, line: 0 })),
    exports: facts.exports,
    bases: facts.bases.map((each) => ({ ...each, line: 0 })),
    ...(facts.declared.length === 0 ? {} : { declared: facts.declared }),
  };
}

/** Facts that only the file's own edges depend on. */
export type PrivateFacts = Pick<FileFacts, "calls" | "uses" | "mentions"> & {
  importLines: readonly number[];
  baseLines: readonly number[];
};

export function privateFactsOf({ calls, uses, mentions, imports, bases }: FileFacts): PrivateFacts {
  const importLines = imports.map((each) => each.line);
  return { calls, uses, mentions, importLines, baseLines: bases.map((each) => each.line) };
}

/** Facts that other files see: the surface, or the whole text of a configuration file. */
export interface PublicFacts {
  surface?: Surface;
  config?: string;
}

export function parsePublicFacts(json: string): PublicFacts {
  return JSON.parse(json) as PublicFacts;
}
