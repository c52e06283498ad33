/**
 * What a language is: which files are its own, the grammar that reads them, one query, and names of node types.
 *
 * The query's captures: `@class @interface @type @module @function @method @constant @test @property @variable` on a
 * definition, with `@name` on its name; `@parameter` and `@loop` on what binds a name inside of a function; `@scope` on
 * what opens one; `@import` and `@export`; `@call` and `@new` with `@callee`; `@extends` and `@implements` on a base;
 * `@alias` on a name given to a value; `@assign` on a member that is given one; `@return` on a returned value; `@comment`; `@hidden` on a
 * name that is bound to something unknown; `@extension` on what adds members to a type named elsewhere; `@receiver` on
 * the type a method belongs to, `@loose` on one whose name holds it; `@package` on the name a file gives to its own package.
 */
import type { Node } from "web-tree-sitter";
import type { ExportFact, Expression, ImportFact } from "../facts.ts";

/** Which files can see each other's names, and how imports are followed. */
export type Family =
  | "ecmascript"
  | "python"
  | "go"
  | "rust"
  | "jvm"
  | "c"
  | "csharp"
  | "ruby"
  | "php"
  | "document"
  | "config";

export interface Language {
  name: string;
  family: Family;
  grammar: { package: string; file: string };
  query: string;
  nodes: NodeTypes;
  /** Reads an import: adds what it brings, and the names under which this file has it. */
  readImport?(node: Node, imports: ImportReader): void;
  readExport?(node: Node, exports: ExportReader): void;
  /** Whether a definition can be used by other files. */
  isExported(node: Node, name: string): boolean;
  /** Whether a function is a test, where tests are functions. */
  isTest?(node: Node, name: string, inTestFile: boolean): boolean;
  /** The first string in the body is the doc comment. */
  docstring?: true;
  /** Names that stand for the instance, where they are names like others. */
  selfNames?: ReadonlySet<string>;
  /** Members need no receiver inside of their class. */
  implicitSelf?: true;
  /** A method's first parameter is the instance. */
  explicitSelf?: true;
}

/** Node types and fields of a grammar, by what they mean. */
export interface NodeTypes {
  /** A name by itself. */
  names: ReadonlySet<string>;
  self: ReadonlySet<string>;
  base: ReadonlySet<string>;
  /** Fields of the value and of the member's name. */
  members: Readonly<Record<string, readonly [string, string]>>;
  /** Field of what is called; fields of a receiver and a name where the grammar has them apart. */
  calls: Readonly<Record<string, string | readonly [string, string]>>;
  /** Field of the class of a new instance. */
  news: Readonly<Record<string, string>>;
  awaits: ReadonlySet<string>;
  /** Stand around a value and do not change it. */
  around: ReadonlySet<string>;
  /** A value said to be of a type: the last child is the type. */
  casts: ReadonlySet<string>;
  elements: Readonly<Record<string, string>>;
  /** Stand around a definition and belong to it: `export`, decorators. */
  wrappers: ReadonlySet<string>;
  /** A value of this type makes a function of the variable that has it. */
  functions: ReadonlySet<string>;
  /** Values whose members are definitions. */
  records: ReadonlySet<string>;
  /** Types by what they are made of. */
  types: {
    generic: ReadonlySet<string>;
    array: ReadonlySet<string>;
    union: ReadonlySet<string>;
    around: ReadonlySet<string>;
    nested: Readonly<Record<string, readonly [string, string]>>;
    /** Function types: a property of one is a method. */
    functions: ReadonlySet<string>;
    /** Types written out: their members are definitions of the alias. */
    records: ReadonlySet<string>;
    /** The type of a value: `typeof x`. */
    query: ReadonlySet<string>;
  };
  patterns: {
    object: ReadonlySet<string>;
    array: ReadonlySet<string>;
    /** `{ a: b }`: fields of the key and the value. */
    pair: Readonly<Record<string, readonly [string, string]>>;
    shorthand: ReadonlySet<string>;
    /** With a default, or a rest: the first child is the pattern. */
    around: ReadonlySet<string>;
  };
  fields: { body: readonly string[]; returns: readonly string[]; type: string; value: readonly string[] };
}

export interface ImportReader {
  /** Returns its place among the imports; a name makes it known in this file. */
  add(fact: Omit<ImportFact, "line">, local?: string, node?: Node): number;
}

export interface ExportReader extends ImportReader {
  give(fact: ExportFact): void;
  /** What a name of this file stands for, at its top. */
  lookUp(name: string): Expression;
  expression(node: Node): Expression | undefined;
}

const none: ReadonlySet<string> = new Set();

/** For the parts a grammar does not have. */
export const NO_NODES: NodeTypes = {
  names: new Set(["identifier", "type_identifier"]),
  self: none,
  base: none,
  members: {},
  calls: {},
  news: {},
  awaits: none,
  around: new Set(["parenthesized_expression"]),
  casts: none,
  elements: {},
  wrappers: none,
  functions: none,
  records: none,
  types: {
    generic: none,
    array: none,
    union: none,
    around: none,
    nested: {},
    functions: none,
    records: none,
    query: none,
  },
  patterns: { object: none, array: none, pair: {}, shorthand: none, around: none },
  fields: { body: ["body"], returns: ["return_type"], type: "type", value: ["value"] },
};
