/** Java: query, node types and imports. */

import { type Expression, TAG } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { ImportReader, Language, PathReader } from "../language.ts";
import { NO_NODES } from "../node_types.ts";
import { libraryResult, makingFunction } from "./values.ts";

const QUERY = `
(package_declaration (_) @package)
(class_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(annotation_type_declaration name: (_) @name) @interface
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(field_declaration declarator: (variable_declarator name: (_) @name) @property)
(local_variable_declaration declarator: (variable_declarator name: (_) @name) @variable)
(resource name: (_) @name) @variable
(formal_parameter name: (_) @name) @parameter
(spread_parameter (_) @of (variable_declarator name: (_) @name)) @typed
(record_declaration parameters: (formal_parameters (formal_parameter name: (_) @name) @property))
(catch_formal_parameter name: (_) @name) @hidden
(catch_formal_parameter (catch_type (_) @of) name: (_) @name) @typed
(instanceof_expression right: (_) @of name: (_) @name) @typed
(type_pattern (_) @of (identifier) @name) @typed
(record_pattern_component (_) @of (identifier) @name) @typed
(lambda_expression parameters: (identifier) @name) @parameter
(inferred_parameters (identifier) @name) @parameters
(enhanced_for_statement name: (_) @name value: (_) @of) @loop
[(block) (lambda_expression) (for_statement) (enhanced_for_statement) (catch_clause) (switch_rule) (switch_block_statement_group)] @scope
(superclass (_) @extends)
(super_interfaces (type_list (_) @implements))
(extends_interfaces (type_list (_) @extends))
(import_declaration) @import
(method_invocation name: (_) @callee) @call
(method_reference) @callee @call
(explicit_constructor_invocation constructor: (_) @callee) @call
(object_creation_expression type: (_) @callee) @new
(return_statement (_) @value) @return
[(line_comment) (block_comment)] @comment
[(identifier) (type_identifier)] @use
[(scoped_type_identifier . (type_identifier)) (scoped_identifier) (field_access object: (identifier))] @use_member
(field_access field: (_) @key)
(element_value_pair key: (_) @key)
(enum_constant name: (_) @key)
(enum_constant name: (_) @variant)
(type_parameter (type_identifier) @type_parameter)
`;

function readImport(node: Node, imports: ImportReader): void {
  const path = node.namedChildren.find(
    (child) => child?.type === "scoped_identifier" || child?.type === "identifier",
  )?.text;
  if (path === undefined) return;
  if (node.namedChildren.some((child) => child?.type === "asterisk")) {
    imports.add({ source: path, name: "*", star: true }, undefined, node);
    return;
  }
  const dot = path.lastIndexOf(".");
  if (node.children.some((child) => child?.type === "static")) {
    readStaticImport(path.slice(0, Math.max(0, dot)), path.slice(dot + 1), node, imports);
    return;
  }
  imports.add({ source: path.slice(0, Math.max(0, dot)), name: path.slice(dot + 1) }, path.slice(dot + 1), node);
}

/** `import static a.B.c` is a member of the imported type. */
function readStaticImport(type: string, member: string, node: Node, imports: ImportReader): void {
  const dot = type.lastIndexOf(".");
  const index = imports.add({ source: type.slice(0, Math.max(0, dot)), name: type.slice(dot + 1) }, undefined, node);
  imports.bind(member, [TAG.member, [TAG.import, index], member]);
}

/** `java.util.List`: a package, and a type, which is not written in capitals alone. */
const QUALIFIED = /^(?:\p{Ll}[\p{L}\p{N}_]*\.){1,12}(?!\p{Lu}[\p{Lu}\p{N}_]+$)\p{Lu}[\p{L}\p{N}_$]*$/u;
const MAX_PATH_CHARS = 200;

/** `Outer.this` is an instance of a class around this one, `Base.super` stands for a base; `a.b.Type` is a type of another package. */
function readPath(node: Node, reader: PathReader): Expression | undefined {
  return qualified(node, reader) ?? outerSelf(node, reader);
}

function qualified(node: Node, reader: PathReader): Expression | undefined {
  if (node.type !== "field_access" && node.type !== "scoped_type_identifier") return undefined;
  if (node.endIndex - node.startIndex > MAX_PATH_CHARS || !QUALIFIED.test(node.text)) return undefined;
  const { text } = node;
  const root = reader.lookUp(text.slice(0, text.indexOf(".")))?.[0];
  if (root !== TAG.freeName && root !== TAG.memberOrFree) return undefined;
  const dot = text.lastIndexOf(".");
  return reader.import(text.slice(0, dot), text.slice(dot + 1));
}

function outerSelf(node: Node, reader: PathReader): Expression | undefined {
  const self = node.type === "field_access" ? node.childForFieldName("field")?.type : undefined;
  const type = self === "this" || self === "super" ? node.childForFieldName("object") : null;
  const found = type?.type === "identifier" ? reader.lookUp(type.text) : undefined;
  return found && [TAG.ofType, found, []];
}

/** `? extends Item`, `? super Item`. */
function readType(node: Node, read: (part: Node) => Expression | undefined): Expression | undefined {
  const bound = node.type === "wildcard" ? node.namedChildren.at(-1) : undefined;
  return bound && read(bound);
}

/** A method with `Item... items` takes any number of them. */
function takenBy(method: Node): [number, number] | undefined {
  const list = method.childForFieldName("parameters")?.namedChildren.filter(({ type }) => !type.endsWith("comment"));
  const isOpen = list?.at(-1)?.type === "spread_parameter";
  return list && [isOpen ? list.length - 1 : list.length, isOpen ? Number.MAX_SAFE_INTEGER : list.length];
}

function givenTo(call: Node): number | undefined {
  const list = call.type === "method_invocation" ? call.childForFieldName("arguments") : null;
  return list?.namedChildren.filter(({ type }) => !type.endsWith("comment")).length;
}

export const java: Language = {
  name: "java",
  family: "jvm",
  grammar: { package: "tree-sitter-java", file: "tree-sitter-java.wasm" },
  query: QUERY,
  nodes: {
    ...NO_NODES,
    bodies: new Set(["enum_body_declarations"]),
    wrappers: new Set(["field_declaration"]),
    self: new Set(["this"]),
    base: new Set(["super"]),
    members: {
      field_access: ["object", "field"],
      scoped_type_identifier: ["", ""],
      method_reference: ["", ""],
    },
    calls: { method_invocation: ["object", "name"] },
    news: { object_creation_expression: "type" },
    casts: new Set(["cast_expression"]),
    elements: { array_access: "array" },
    functions: new Set(["lambda_expression"]),
    types: {
      ...NO_NODES.types,
      generic: new Set(["generic_type"]),
      array: new Set(["array_type"]),
    },
    fields: { body: ["body"], returns: ["type"], type: "type", value: ["value"] },
  },
  implicitSelf: true,
  readPath,
  visibleNames: /^\p{Lu}/u,
  typeContexts: new Set(["marker_annotation", "annotation"]),
  delegates: {
    Consumer: 1,
    BiConsumer: 2,
    Function: 1,
    BiFunction: 2,
    Predicate: 1,
    BiPredicate: 2,
    UnaryOperator: 1,
    BinaryOperator: 1,
    Comparator: 1,
  },
  readImport,
  readType,
  libraryCall: libraryResult,
  arity: { of: takenBy, given: givenTo },
  callForms: { passedOn: () => undefined, makingClosure: makingFunction, closureTypes: () => undefined },
  isExported: (node) =>
    !/\bprivate\b/.test(node.namedChildren[0]?.type === "modifiers" ? node.namedChildren[0].text : ""),
  isTest: (node, _, inTestFile) => inTestFile && /@(Test|ParameterizedTest)\b/.test(node.namedChildren[0]?.text ?? ""),
};
