/**
 * What one file says, by itself: its definitions, imports, calls and bases. A pure function of the file's text, so that
 * it is kept beside the file's hash and made again only when that changes.
 *
 * Names that the file itself explains (its own definitions, locals, imports) are explained here already. What is left is
 * an expression over this file's definitions and imports, which the resolver evaluates against the other files.
 */
import type { EntityKind } from "../store/code.ts";

/**
 * How a value is come by. The first field says which:
 * `s` a definition of this file, by slot · `i` an imported name, by its place among the imports · `n` a name that this
 * file does not explain · `t` the instance of the class with this slot · `u` its base · `g` a member of a value · `c` what
 * a call returns · `w` a new instance · `a` what is awaited · `e` an element · `p` an element at a place · `y` a value of
 * a type, with the type's arguments · `h` what a function that is handed to a call gets as a parameter: the callee, which
 * argument the function is, which of its parameters · `o` a name inside of a class, where members need no receiver: the
 * class's own, or else a free one.
 */
export type Expression =
  | readonly ["s", number]
  | readonly ["i", number]
  | readonly ["n", string]
  | readonly ["t", number]
  | readonly ["u", number]
  | readonly ["g", Expression, string]
  | readonly ["c", Expression]
  | readonly ["w", Expression, (Expression | null)[]]
  | readonly ["a", Expression]
  | readonly ["e", Expression]
  | readonly ["p", Expression, number]
  | readonly ["y", Expression, (Expression | null)[]]
  | readonly ["h", Expression, number, number]
  | readonly ["o", number, string];

/** A definition. Its slot is its place in the list. */
export interface EntityFact {
  kind: EntityKind;
  name: string;
  /** Names from the outermost down, joined by dots; the file is not part of it. */
  qualified: string;
  /** Slot of what it is defined in; -1: the file. */
  parent: number;
  exported: boolean;
  signature: string;
  doc: string;
  first: number;
  last: number;
  /** Of its text. */
  hash: string;
  /** What it is worth: of a constant or a getter its value, of a type alias what it stands for. */
  value?: Expression;
  /** What a call of it returns. */
  returns?: Expression;
  /** Of parameters that are functions, by place: the types of what those are given. */
  takes?: Record<number, (Expression | null)[]>;
}

/** A named member that is no definition of its own: a field. */
export interface PropertyFact {
  owner: number;
  name: string;
  value: Expression;
}

export interface ImportFact {
  /** As written: `./a.ts`, `os.path`, `crate::x::y`. */
  source: string;
  /** The name there; `*`: all of it as one value; `default`; empty: only for its effect. */
  name: string;
  line: number;
  /** The name it has here, where that is a name of this file for others. */
  local?: string;
  /** All public names of the source are names here. */
  star?: true;
}

/** A name that other files get from this one, though it is not defined here under that name. */
export interface ExportFact {
  name: string;
  /** What it is; or everything of an imported file. */
  value?: Expression;
  /** Place among the imports of what is given on whole. */
  star?: number;
}

export interface CallFact {
  /** Slot of the definition it stands in; -1: the file. */
  from: number;
  line: number;
  callee: Expression;
  made?: true;
}

export interface BaseFact {
  slot: number;
  kind: "extends" | "implements";
  line: number;
  target: Expression;
}

/** What other files can see of a file. Edges of other files depend on this and on nothing else of it. */
export interface Surface {
  language: string;
  /** The package or namespace it states, where the language has that. */
  module: string;
  entities: readonly SurfaceEntity[];
  properties: readonly PropertyFact[];
  imports: readonly ImportFact[];
  exports: readonly ExportFact[];
  bases: readonly BaseFact[];
}

export type SurfaceEntity = Pick<
  EntityFact,
  "kind" | "name" | "qualified" | "parent" | "exported" | "value" | "returns" | "takes"
>;

export interface FileFacts {
  language: string;
  module: string;
  entities: EntityFact[];
  properties: PropertyFact[];
  imports: ImportFact[];
  exports: ExportFact[];
  bases: BaseFact[];
  calls: CallFact[];
  /** Words that a document puts in code marks: names and paths it may speak of. */
  mentions: { text: string; line: number }[];
  lines: number;
  /** Stretches that the grammar could not read. */
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
    calls: [],
    mentions: [],
    lines: 0,
    broken: false,
  };
}

export function surfaceOf(facts: FileFacts): Surface {
  return {
    language: facts.language,
    module: facts.module,
    entities: facts.entities.map(({ kind, name, qualified, parent, exported, value, returns, takes }) => ({
      kind,
      name,
      qualified,
      parent,
      exported,
      value,
      returns,
      takes,
    })),
    properties: facts.properties,
    // Lines may move without anything else changing.
    imports: facts.imports.map((each) => ({ ...each, line: 0 })),
    exports: facts.exports,
    bases: facts.bases.map((each) => ({ ...each, line: 0 })),
  };
}
