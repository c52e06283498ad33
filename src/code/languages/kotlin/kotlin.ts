/** Kotlin: query, node types and imports. */
import type { Node } from "../../syntax/tree.ts";
import type { ImportReader, Language } from "../language.ts";
import { NO_NODES } from "../node_types.ts";
import { extendedType, readValue, statedResult, statedType } from "./nodes.ts";
import { closureTypes, libraryResult, makingFunction, readKotlinType, typeChecks } from "./values.ts";

const QUERY = `
(package_header (qualified_identifier) @package)
(class_declaration name: (_) @name) @class
(object_declaration name: (_) @name) @class
(function_declaration name: (_) @name) @function
(type_alias type: (identifier) @name) @type
(property_declaration (variable_declaration (identifier) @name)) @variable
(property_declaration (multi_variable_declaration) @name) @variable
(class_parameter (identifier) @name) @property
(parameter (identifier) @name) @parameter
(lambda_parameters [(variable_declaration) (multi_variable_declaration)] @name) @parameters
(for_statement . [(variable_declaration (identifier) @name) (multi_variable_declaration) @name] . (_) @of) @loop
(catch_block . (identifier) @name . (user_type) @of) @typed
(when_subject . (variable_declaration (identifier) @name) . (_) @of) @alias
(enum_entry (identifier) @variant)
(if_expression condition: (_) @of . (_) @checked)
(when_entry condition: (_) @of . (_) @checked)
[(block) (lambda_literal) (for_statement) (catch_block)] @scope
(delegation_specifier [(user_type) @extends (constructor_invocation (user_type) @extends)])
(import) @import
(call_expression . (_) @callee) @call
[(line_comment) (block_comment)] @comment
(identifier) @use
(navigation_expression (_) (identifier) @key)
(value_argument (identifier) @key "=")
(type_parameter (identifier) @type_parameter)
`;

function readImport(node: Node, imports: ImportReader): void {
  const path = node.namedChildren[0]?.text;
  if (path === undefined) return;
  if (node.text.trimEnd().endsWith(".*")) {
    imports.add({ source: path, name: "*", star: true }, undefined, node);
    return;
  }
  const dot = path.lastIndexOf(".");
  const alias = node.namedChildren[1]?.text;
  imports.add(
    { source: path.slice(0, Math.max(0, dot)), name: path.slice(dot + 1) },
    alias ?? path.slice(dot + 1),
    node,
  );
}

export const kotlin: Language = {
  name: "kotlin",
  family: "jvm",
  grammar: { package: "@tree-sitter-grammars/tree-sitter-kotlin", file: "tree-sitter-kotlin.wasm" },
  query: QUERY,
  nodes: {
    ...NO_NODES,
    names: new Set(["identifier", "simple_identifier"]),
    self: new Set(["this_expression"]),
    base: new Set(["super_expression"]),
    // The grammar has no fields here: the first and the last child are used.
    members: { navigation_expression: ["", ""] },
    calls: { call_expression: "" },
    // Members of a companion object count as members of its class.
    around: new Set(["companion_object", "class_body", "parenthesized_expression", "unary_expression"]),
    bodies: new Set(["class_parameters", "primary_constructor"]),
    casts: new Set(["as_expression"]),
    elements: { index_expression: "" },
    functions: new Set(["lambda_literal"]),
    patterns: {
      ...NO_NODES.patterns,
      array: new Set(["multi_variable_declaration"]),
      around: new Set(["variable_declaration"]),
    },
    types: { ...NO_NODES.types, around: new Set(["nullable_type"]), functions: new Set(["function_type"]) },
    fields: { body: ["body"], returns: [], type: "type", value: ["value"] },
  },
  implicitSelf: true,
  visibleNames: /^\p{Lu}/u,
  typeContexts: new Set(["user_type"]),
  readImport,
  readValue,
  readType: readKotlinType,
  statedType,
  statedResult,
  extendedType,
  typeChecks,
  libraryCall: libraryResult,
  callForms: { passedOn: () => undefined, makingClosure: makingFunction, closureTypes },
  isExported: (node) =>
    !/\bprivate\b/.test(node.namedChildren[0]?.type === "modifiers" ? node.namedChildren[0].text : ""),
  isTest: (node, _, inTestFile) => inTestFile && /@Test\b/.test(node.namedChildren[0]?.text ?? ""),
};
