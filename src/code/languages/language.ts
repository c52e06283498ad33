/**
 * The definition of a language: its grammar, one query, the node types of the grammar by meaning, and the readers of the
 * forms that the table of node types cannot describe.
 *
 * Captures of the query, which `src/code/parsing/file/item_readers.ts` reads:
 *
 * - definitions: `@class @interface @type @module @function @method @constant @test`, with `@name` on their names;
 *   `@receiver` on the type that a method belongs to; `@detached` on a method whose name includes its type;
 *   `@class_in_place` on a class that is written where it is used; `@extension` on a block that adds members to the type
 *   `@name`; `@type_parameter` on the name of one; `@comment`; `@required` on a node that only decides whether the
 *   pattern fits.
 * - members without a definition: `@property`; `@position` on the type of a field without a name; `@embedded` on a field
 *   that is named by its type; `@variant` on the name of one form of an enumeration; `@member_assignment` on an
 *   assignment of the value `@of` to a member; `@reader` on a call that makes a method for a field; `@second_name` on one
 *   that gives a method another name; `@delegated` on one that hands methods on to a member.
 * - bases of classes: `@extends` and `@implements` on the base, `@metaclass`.
 * - names and their values: `@variable`; `@parameter` (or `@parameters` on the list, with `@name` on each), `@loop` and
 *   `@keys` on nodes that bind a name inside a function; `@hidden` on a name of unknown value; `@alias` on a name given
 *   to a value; `@assign` on an assignment to a member of the instance; `@reassigned` on an assignment of `@of` to a
 *   variable; `@given` on a named value of a test; `@filled` on an assignment to an element of the list `@of`.
 * - checks: `@checked` on code that runs only if the condition `@of` holds; `@ensured` on a condition that holds in all
 *   code behind it; `@case` on code that runs only if the value `@of` has the form of its pattern; `@matched` on a
 *   pattern whose names are parts of the value; `@narrowed` on a case that states a type; `@typed` on a name of the type
 *   `@of`, from there on.
 * - calls: `@call` and `@new` with `@callee`; `@bare_call` on a name that is a call without arguments unless it is a
 *   variable; `@token_call` on a call that the grammar does not parse; `@generated` on the `@of` that a generator yields;
 *   `@return` on a returned value (or `@value` in it); `@yield` on a call of the block that a method is given; `@yielded`
 *   on what a generator gives; `@scope` on nodes that open a scope.
 * - uses: `@use` on a name that may refer to a definition, `@use_member` on a name and one of its members, `@key` on a
 *   name that is only a label (a named argument, a field of a literal).
 * - modules: `@import`, `@export`, `@default`; `@module_value` on the statement that returns the value of the whole file;
 *   `@package` on the name of the file's own package; `@declared` on a function that is defined elsewhere.
 */

import type { Expression } from "../expression.ts";
import type { ExportFact, ImportFact } from "../facts.ts";
import type { Node } from "../syntax/tree.ts";
import type { NodeTypes } from "./node_types.ts";

/** Languages whose files can see each other's names and whose imports resolve the same way. */
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
  | "lua"
  | "document"
  | "config";

/** Generic types of functions: how many of their arguments are parameters; negative: all but that many. */
export type Delegates = Readonly<Record<string, number>>;

export interface Language {
  name: string;
  family: Family;
  grammar: { package: string; file: string };
  query: string;
  nodes: NodeTypes;
  /** Changes the text that the grammar reads, with every remaining character at its place. */
  prepareText?(text: string): string;
  /** Another text to read, if the grammar cannot read all of the file's, with every remaining character at its place. */
  repairText?(text: string): string | undefined;
  /** Where a definition ends in the text, if the prepared text has only its beginning. */
  endOf?(text: string, node: Node): number | undefined;
  /** The condition under which a file is built, if a usual build leaves it out. */
  readBuild?(text: string, path: string): string | undefined;
  /** Adds the imported names, with the local names this file gives them. */
  readImport?(node: Node, imports: ImportReader): void;
  /** The value of a declared name, in grammars without a field for it. */
  readValue?(node: Node): Node | null;
  /** The stated type of a definition, and that of the result of a function, in grammars without fields for them. */
  statedType?(definition: Node): Node | null;
  statedResult?(fn: Node): Node | null;
  /** The type that a function adds itself to (Kotlin). */
  extendedType?(fn: Node): Node | null;
  /** Which part of the stated value one of several declared names has. */
  declaredPart?(declaration: Node, name: Node): number | "whole" | "unknown";
  /** A type of a form that other languages do not have. */
  readType?(node: Node, read: (part: Node) => Expression | undefined): Expression | undefined;
  /** The value of a form that other languages do not have. */
  readForm?(node: Node, readers: ValueReaders): Expression | undefined;
  /** The types of what a function takes, in languages whose calls tell type parameters by them. */
  parameterTypes?(fn: Node): ParameterTypes | undefined;
  /** The value of a variable whose stated type leaves a part to the value. */
  openType?(type: Node, value: () => Expression | undefined): Expression | undefined;
  readExport?(node: Node, exports: ExportReader): void;
  /** Reads a path that names a module without importing it; undefined for an ordinary member. */
  readPath?(node: Node, reader: PathReader): Expression | undefined;
  callForms?: CallForms;
  /** The result of a call of the language's own library; undefined if it is not known. */
  libraryCall?(call: Node, readers: ValueReaders): Expression | undefined;
  /** The value that a function of the language's own library passes to a function that it is given. */
  lambdaParameter?(fn: Node, index: number, readers: ValueReaders): Expression | undefined;
  /** The methods that operators call, by the operators. */
  operators?: Readonly<Record<string, string>>;
  /** A new object of the language's own library that holds what it is given. */
  libraryObject?(created: string, given: Node | undefined, value: ValueReaders["value"]): Expression | undefined;
  /** Whether a base is one of the language's own library that has no members. */
  isEmptyBase?(base: Node): boolean;
  /** The type that a constant with this value is another name for; undefined for other values. */
  aliasedType?(value: Node): Node | undefined;
  /** The checks of types that hold if a condition does. */
  typeChecks?(condition: Node): TypeCheck[];
  /** The checks of types that hold behind a call that is a statement. */
  assertedChecks?(call: Node): TypeCheck[];
  /** The type for which a function that is passed on checks its argument, or a function that says it. */
  guardIn?(fn: Node): { type: Node } | { by: Node } | undefined;
  /** The type that a function checks its argument for, if its stated result says so. */
  readVerdict?(stated: Node): Node | undefined;
  /** Types of the language's library that stand for their content, even where they implement something. */
  wrapperTypes?: ReadonlySet<string>;
  /** The parts of a pattern that binds names, and which part of the whole value each is; undefined for other nodes. */
  readPattern?(node: Node, reader: () => PathReader): PatternPart[] | undefined;
  /** Which type parameter of a function its result is or wraps; -1: the one of the type around it. */
  readGeneric?(node: Node): number | undefined;
  /** Reads the callee of a call that the grammar has only as tokens (`@token_call`). */
  readTokens?(callee: Node, reader: PathReader): Expression | undefined;
  /** How many arguments a function takes, at least and at most, and how many a call has, in languages with overloads. */
  arity?: { of(definition: Node): [number, number] | undefined; given(call: Node): number | undefined };
  /** Whether other files can use a definition. */
  isExported(node: Node, name: string): boolean;
  /** Whether a function is a test, in languages whose tests are functions. */
  isTest?(node: Node, name: string, inTestFile: boolean): boolean;
  /** The first string in the body is the doc comment. */
  docstring?: true;
  /** Identifiers that refer to the instance, in grammars without a node type for it. */
  selfNames?: ReadonlySet<string>;
  /** The name of the base class in the methods of a class, in grammars without a node type for it. */
  baseName?: string;
  /** The name of the enclosing type in its own methods. */
  selfType?: string;
  /** Node type of a field that is written without a receiver (`@x`). */
  instanceVariable?: string;
  /** Names that may belong to another file although no import names them. */
  visibleNames?: RegExp;
  /** Node types around a name that is used as a type, in grammars that have one node type for all names. */
  typeContexts?: ReadonlySet<string>;
  delegates?: Delegates;
  /** Members need no receiver inside their class. */
  implicitSelf?: true;
  /** A variable is visible after its declaration only: `let x = x()` calls another `x`. */
  bindsLate?: true;
  /** A method whose first parameter has this modifier can be called on any value of the parameter's type. */
  extensionModifier?: string;
  /** The last statement of a function is its result. */
  returnsLast?: true;
  /** A method's first parameter is the instance. */
  explicitSelf?: true;
}

/** Calls whose result is their argument, or the result of a closure. */
export interface CallForms {
  passedOn(call: Node): Node | undefined;
  makingClosure(call: Node): Node | undefined;
  /** The function by name, in place of a closure. */
  makingFunction?(call: Node): Node | undefined;
  /** The argument that is the instance, if the called function is one of a trait outside the project. */
  selfArgument?(call: Node): { argument: Node; method: string } | undefined;
  /** The types of what a function passes to the closures it is given, by their position among the arguments. */
  closureTypes(fn: Node): Record<number, Node[]> | undefined;
}

/** A name or member that is of one of several types. */
export interface TypeCheck {
  of: Node;
  types: readonly Node[];
  /** A function that checks the type: its result says which one. */
  by?: Node;
}

/** `rest`: the list of all arguments behind the last parameter. */
export interface ParameterTypes {
  types: readonly (Node | null)[];
  rest: Node | null;
}

/** Read a node at the place of a call. */
export interface ValueReaders {
  value(node: Node): Expression | undefined;
  /** The value that a stated type describes. */
  type(node: Node): Expression | undefined;
  /** The result of a function that is passed on. */
  called(node: Node): Expression | undefined;
}

export interface PathReader {
  /** The number of modules of this file around the path. */
  modules: number;
  self(): Expression | undefined;
  /** Undefined: bound to something unknown. */
  lookUp(name: string): Expression | undefined;
  /** The meaning of a name at the top level of this file. */
  atTop(name: string): Expression | undefined;
  importOf(index: number): { source: string; name: string };
  /** The name, as if it were imported from the source. */
  import(source: string, name: string): Expression;
}

export interface PatternPart {
  pattern: Node;
  /** Undefined: unknown. */
  value(whole: Expression | undefined): Expression | undefined;
}

export interface ImportReader {
  /** Binds a name of this file to a member of something imported. */
  bind(local: string, value: Expression): void;
  /** Returns the index of the import; `local` binds that name in this file. */
  add(fact: Omit<ImportFact, "line">, local?: string, node?: Node): number;
}

export interface ExportReader extends ImportReader {
  addExport(fact: ExportFact): void;
  /** The meaning of a name at the top level of this file. */
  lookUp(name: string): Expression;
  expression(node: Node): Expression | undefined;
}
