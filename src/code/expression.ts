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
  /** A type parameter of the class whose member is read, or of the called function: its position, and the type that bounds it. */
  parameter: "q",
  /** A type that has all of these: the bounds of a type parameter. */
  bounds: "l",
  /** The result of a call that returns its argument, unless the project defines the called function. */
  passedOn: "z",
  /** The result of a method that a closure makes, unless the project defines the method. */
  mapped: "m",
  /** A name inside a class whose members need no receiver: a member of the class, or else a free name. */
  memberOrFree: "o",
  /** A value that a condition has checked to be of a type: the value, then the type. */
  checked: "v",
  /** The result of a function that says whether its argument is of a type: `x is Item`. */
  verdict: "V",
  /** A value of the type whose check this function is. */
  ofVerdict: "C",
  /** The first of two values, or the second if the first is not known. */
  either: "b",
  /** One of two values, which a condition decides: `a ?? b`, `c ? a : b`; null: one that is not known. */
  choice: "j",
  /** A function type: the types of its parameters, of its result, and of each argument after its last parameter. */
  functionType: "f",
  /** An object type without a name: its members. */
  record: "r",
  /** A type with several sides, of which a function counts. */
  union: "k",
  /** The value that a callee expects as an argument: the callee, which argument. */
  argument: "x",
  /** A parameter of a function whose type only its context tells: the expected type, which parameter. */
  contextParameter: "d",
  /** `this` in a function of an object: the expected types of the function and of the object. */
  contextSelf: "S",
} as const;

/** The block of a call, where an argument's index is expected. */
export const BLOCK = -1;

/** Ruby: the block of a call that has several parameters: they take the only value that it is given apart. */
export const BLOCK_PARTS = -3;

/** In place of an element's index: the key of a map, or what a channel gives (Go). */
export const KEY = -1;

/** C#: in place of a parameter's index: what the callee writes to the argument (`out`). */
export const WRITTEN = -1;

/** C#: the positions of the parameters of a function that is given to a call begin here; those of a function in it, this many later. */
export const LAMBDA_PARAMETERS = 56;
export const LAMBDA_PARAMETERS_STEP = 4;

/** In place of an argument's index: the object that runs the block of a call as its own; the block has parameters if the parameter's index is 1. */
export const BLOCK_SELF = -2;

/** TypeScript: the positions of a function's own type parameters begin here; those of a function inside it, this many later. */
export const OWN_PARAMETERS = 32;
export const OWN_PARAMETERS_STEP = 8;

/** TypeScript: as the name of a member, any member of a type (`T[keyof T]`). */
export const ANY_MEMBER = "*";

/** Python: as the name of a field, the class whose instance a class is. */
export const METACLASS = "metaclass=";

/** Python: as the name of a field, what a loop over the class itself goes through. */
export const EACH = "each=";

/** Begins the name of a variable whose value is unknown. */
export const NAMED_UNKNOWN = "~";

/** Begins a name that is written as a path from the top (`::Name`). */
export const FROM_TOP = "::";

/** Begins the name of a type argument of an alias, before its position. */
export const ARGUMENT = `${NAMED_UNKNOWN}#`;

/** C#: in place of a local name: all members of the imported type. */
export const STATIC = "static";

/** Begins the name of a fixture, whose result the parameters of tests have (Python). */
export const FIXTURE = `${NAMED_UNKNOWN}=`;

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
  /** TypeScript: with what the call is given. */
  | readonly [typeof TAG.call, Expression, (Expression | null)[], Given]
  | readonly [typeof TAG.construct, Expression, (Expression | null)[]]
  | readonly [typeof TAG.construct, Expression, (Expression | null)[], Given]
  | readonly [typeof TAG.awaited, Expression]
  | readonly [typeof TAG.element, Expression]
  | readonly [typeof TAG.elementAt, Expression, number]
  | readonly [typeof TAG.ofType, Expression, (Expression | null)[]]
  | readonly [typeof TAG.callbackParameter, Expression, number, number]
  /** C#: with what the call is given. */
  | readonly [typeof TAG.callbackParameter, Expression, number, number, Given]
  | readonly [typeof TAG.parameter, number, Expression | null]
  | readonly [typeof TAG.bounds, Expression[]]
  | readonly [typeof TAG.passedOn, Expression, Expression]
  | readonly [typeof TAG.mapped, Expression, Expression]
  | readonly [typeof TAG.memberOrFree, number, string]
  | readonly [typeof TAG.checked, Expression | null, Expression]
  | readonly [typeof TAG.verdict, Expression]
  | readonly [typeof TAG.ofVerdict, Expression]
  | readonly [typeof TAG.either, Expression, Expression]
  | readonly [typeof TAG.choice, Expression, Expression | null]
  | FunctionType
  | readonly [typeof TAG.record, (readonly [string, Expression])[]]
  | readonly [typeof TAG.union, Expression[]]
  | readonly [typeof TAG.argument, Expression, number]
  | readonly [typeof TAG.argument, Expression, number, Given]
  | readonly [typeof TAG.contextParameter, Expression, number]
  | readonly [typeof TAG.contextSelf, Expression | null, Expression | null];

/** The type arguments that a call states, and its arguments: they tell the type parameters of the called function. */
export type Given = readonly [types: (Expression | null)[], values: (Expression | null)[]];

/** An unknown value: a call of one of its members is known by name alone. */
export const UNKNOWN: Expression = [TAG.freeName, ""];

/** As a result: the value that the method is called on. */
export const RECEIVER: Expression = [TAG.freeName, "this"];

export function listOf(element: Expression | null): Expression {
  return [TAG.ofType, [TAG.freeName, "[]"], [element]];
}

/** The name of a type that no project can define. */
export const TUPLE = "()";

export function tupleOf(parts: (Expression | null)[]): Expression {
  return [TAG.ofType, [TAG.freeName, TUPLE], parts];
}

/** The value of a variable of which nothing but the name is known. */
export function unknownNamed(name: string): Expression {
  return [TAG.freeName, `${NAMED_UNKNOWN}${name}`];
}

export type FunctionType = readonly [
  typeof TAG.functionType,
  parameters: (Expression | null)[],
  result: Expression | null,
  rest: Expression | null,
  /** The type of `this`. */
  self?: Expression,
];

export type MemberExpression = readonly [typeof TAG.member, Expression, string];

/** A member of a value; that of an object type in place is the type of the member itself. */
export function memberOf(of: Expression, name: string): Expression {
  const known = of[0] === TAG.record ? of[1].find(([each]) => each === name) : undefined;
  return known?.[1] ?? [TAG.member, of, name];
}

/** A variable with more parts than this has only the first of its values, or else its name. */
const MAX_PARTS = 120;

/** A variable that may have any of several values: the first one that is known counts, or else its name. */
export function firstKnown(values: readonly (Expression | undefined)[], name: string): Expression | undefined {
  const stated = values.filter((each) => each !== undefined);
  const [first] = stated;
  // A name of the library, or of another file, says all there is to know.
  if (!first || (first[0] === TAG.freeName && stated.length === 1)) return first;
  const all = stated.reduceRight<Expression>((rest, each) => [TAG.either, each, rest], unknownNamed(name));
  return hasAtMost(all, MAX_PARTS) ? all : [TAG.either, first, unknownNamed(name)];
}

/** A value that has the members of all of these, as far as they are known; of too large ones, only of the first. */
export function allOf(values: readonly (Expression | undefined)[]): Expression | undefined {
  const known = values.filter((each) => each !== undefined);
  const all: Expression = [TAG.bounds, known];
  return known.length > 1 && hasAtMost(all, MAX_PARTS) ? all : known[0];
}

/** Whether an expression has at most this many parts. */
export function hasAtMost(expression: Expression, max: number): boolean {
  let parts = 0;
  const count = (part: unknown): void => {
    parts += 1;
    if (Array.isArray(part) && parts <= max) for (const each of part) count(each);
  };
  count(expression);
  return parts <= max;
}

/** The values that a condition decides between; the expression itself if it is something else. */
export function choicesIn(expression: Expression): Expression[] {
  if (expression[0] !== TAG.choice) return [expression];
  return [...choicesIn(expression[1]), ...(expression[2] ? choicesIn(expression[2]) : [])];
}

/** The last name of a callee. */
export function nameIn(expression: Expression): string {
  if (expression[0] === TAG.member || expression[0] === TAG.memberOrFree) return expression[2];
  if (expression[0] === TAG.either) return nameIn(expression[2]);
  return expression[0] === TAG.freeName ? expression[1] : "";
}
