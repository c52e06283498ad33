/**
 * How a file obtains a value, as far as the file alone can tell: an expression over its definitions and imports, which
 * the evaluator later works out against the other files. Stored as JSON with every file, so the tags are one letter.
 */
export const TAG = {
  /** A definition of this file, by slot. */
  definition: "s",
  /** An imported name, by its index among the imports. */
  import: "i",
  /** A name that this file does not define, bind or import. */
  freeName: "n",
  /** The instance (`this`, `self`) of the class with this slot. */
  instance: "t",
  /** The base (`super`) of the class with this slot. */
  base: "u",
  /** A member of a value. */
  member: "g",
  /** The result of a call. */
  call: "c",
  /** A new instance, with its type arguments. */
  construct: "w",
  awaited: "a",
  /** An element of a collection. */
  element: "e",
  /** The element at an index. */
  elementAt: "p",
  /** A value of a type, with the type's arguments. */
  ofType: "y",
  /** A parameter of a callback: the callee, which argument the callback is, which of its parameters. */
  callbackParameter: "h",
  /** A type parameter of the class whose member is read: its position, and the type that bounds it. */
  parameter: "q",
  /** The result of a call that returns its argument, unless the project defines the called function. */
  passedOn: "z",
  /** The result of a method that a closure makes, unless the project defines the method. */
  mapped: "m",
  /** A name inside a class whose members need no receiver: a member of the class, or else a free name. */
  memberOrFree: "o",
} as const;

/** The block of a call, where an argument's index is expected. */
export const BLOCK = -1;

/** Begins the name of a variable whose value is unknown. */
export const NAMED_UNKNOWN = "~";

/** Begins a name that is written as a path from the top (`::Name`). */
export const FROM_TOP = "::";

/** Begins the name of a type argument of an alias, before its position. */
export const ARGUMENT = `${NAMED_UNKNOWN}#`;

/** The export that is the whole value of a CommonJS module: `module.exports = …`. */
export const MODULE_VALUE = "=";

export type Expression =
  | readonly [typeof TAG.definition, number]
  | readonly [typeof TAG.import, number]
  | readonly [typeof TAG.freeName, string]
  | readonly [typeof TAG.instance, number]
  | readonly [typeof TAG.base, number]
  | MemberExpression
  | readonly [typeof TAG.call, Expression]
  /** With the type arguments that are stated (Rust: `f::<T>()`). */
  | readonly [typeof TAG.call, Expression, (Expression | null)[]]
  | readonly [typeof TAG.construct, Expression, (Expression | null)[]]
  | readonly [typeof TAG.awaited, Expression]
  | readonly [typeof TAG.element, Expression]
  | readonly [typeof TAG.elementAt, Expression, number]
  | readonly [typeof TAG.ofType, Expression, (Expression | null)[]]
  | readonly [typeof TAG.callbackParameter, Expression, number, number]
  | readonly [typeof TAG.parameter, number, Expression | null]
  | readonly [typeof TAG.passedOn, Expression, Expression]
  | readonly [typeof TAG.mapped, Expression, Expression]
  | readonly [typeof TAG.memberOrFree, number, string];

export type MemberExpression = readonly [typeof TAG.member, Expression, string];

/** The last name of a callee. */
export function nameIn(expression: Expression): string {
  if (expression[0] === TAG.member || expression[0] === TAG.memberOrFree) return expression[2];
  return expression[0] === TAG.freeName ? expression[1] : "";
}
