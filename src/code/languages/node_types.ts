/** The table of a grammar's node types and fields, by what they mean. */

export interface NodeTypes {
  /** An identifier. */
  names: ReadonlySet<string>;
  self: ReadonlySet<string>;
  base: ReadonlySet<string>;
  /** Member access: fields of the object and of the member's name. */
  members: Readonly<Record<string, readonly [string, string]>>;
  /** Field of the callee; or the fields of receiver and name in grammars that separate them. */
  calls: Readonly<Record<string, string | readonly [string, string]>>;
  /** Object creation: field of the class. */
  news: Readonly<Record<string, string>>;
  awaits: ReadonlySet<string>;
  /** Enclose a value without changing it: parentheses. */
  around: ReadonlySet<string>;
  /** A value cast to a type: the type is in the field `type` or `right`, or the last child. */
  casts: ReadonlySet<string>;
  /** Statements in a row, whose value is that of the last one. */
  blocks?: ReadonlySet<string>;
  /** Values and types of the language itself: literals, `int`. */
  builtIn: ReadonlySet<string>;
  elements: Readonly<Record<string, string>>;
  /** Part of the body of a definition: members in it belong to the definition. */
  bodies: ReadonlySet<string>;
  /** Enclose a definition and belong to it: `export`, decorators. */
  wrappers: ReadonlySet<string>;
  /** A variable with a value of this node type is a function. */
  functions: ReadonlySet<string>;
  /** Values whose members are definitions. */
  records: ReadonlySet<string>;
  /** Node types of types. */
  types: {
    generic: ReadonlySet<string>;
    array: ReadonlySet<string>;
    union: ReadonlySet<string>;
    around: ReadonlySet<string>;
    nested: Readonly<Record<string, readonly [string, string]>>;
    /** Function types: a property of such a type is a method. */
    functions: ReadonlySet<string>;
    /** Inline object types: their members are definitions of the alias. */
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
    /** Patterns with a default, and rest patterns: the first child is the pattern. */
    around: ReadonlySet<string>;
  };
  fields: { body: readonly string[]; returns: readonly string[]; type: string; value: readonly string[] };
}

const none: ReadonlySet<string> = new Set();

/** Defaults for node types that a grammar does not have. */
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
  builtIn: none,
  elements: {},
  bodies: none,
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
