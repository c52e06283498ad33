/** Go: query, node types and imports. */
import type { Node } from "../../syntax/tree.ts";
import type { ImportReader, Language } from "../language.ts";
import { NO_NODES } from "../node_types.ts";
import { goBuild } from "./build.ts";
import { readGoType } from "./types.ts";
import { builtInCall, declaredPart, definedType } from "./values.ts";

const QUERY = `
(package_clause (package_identifier) @package)
(function_declaration name: (_) @name) @function
(method_declaration receiver: (_) @receiver name: (_) @name) @method
(type_spec name: (_) @name type: (struct_type)) @class
(type_spec name: (_) @name type: (interface_type)) @interface
(type_spec name: (_) @name type: [(function_type) (type_identifier) (qualified_type) (map_type) (slice_type) (array_type) (channel_type) (pointer_type) (generic_type)]) @type
(type_alias name: (_) @name) @type
(method_elem name: (_) @name) @method
(field_declaration name: (_) @name type: (_)) @property
(field_declaration !name type: [(type_identifier) (pointer_type (type_identifier)) (qualified_type)] @extends)
(field_declaration !name type: [(type_identifier) (pointer_type) (qualified_type) (generic_type)]) @embedded
(interface_type (type_elem (type_identifier) @extends))
(const_spec name: (_) @name) @variable
(var_spec name: (_) @name) @variable
(short_var_declaration left: (expression_list (identifier) @name)) @variable
(parameter_declaration name: (_) @name) @parameter
(variadic_parameter_declaration name: (_) @name) @parameter
(range_clause left: (expression_list (identifier) . (identifier) @name) right: (_) @of) @loop
(range_clause left: (expression_list . (identifier) @name) right: (_) @of) @keys
[(block) (func_literal) (function_type) (for_statement) (if_statement) (expression_case) (communication_case) (type_case)] @scope
(type_case type: (_) @name) @narrowed
(import_spec) @import
(call_expression function: (_) @callee) @call
(return_statement (expression_list . (_) @value)) @return
(comment) @comment
[(identifier) (type_identifier)] @use
(keyed_element . (literal_element (identifier) @key))
(selector_expression operand: (identifier)) @use_member
(qualified_type name: (type_identifier) @key)
(qualified_type) @use_member
(type_parameter_declaration name: (_) @type_parameter)
`;

/** Each import of a list looks at all the others. */
const MAX_IMPORTS_CHARS = 20_000;

function readImport(node: Node, imports: ImportReader): void {
  const source = sourceOf(node);
  if (source === undefined) return;
  const given = node.childForFieldName("name")?.text;
  if (given === ".") imports.add({ source, name: "*", star: true }, undefined, node);
  else imports.add({ source, name: "*" }, given === "_" ? undefined : (given ?? likelyName(node, source)), node);
}

function sourceOf(spec: Node): string | undefined {
  return spec.childForFieldName("path")?.text.slice(1, -1);
}

/** The name of a package is in its files; its path tells it mostly. Of two paths that tell the same, one is named otherwise. */
function likelyName(spec: Node, source: string): string | undefined {
  const name = lastName(source);
  const list = spec.parent;
  if (!list || list.endIndex - list.startIndex > MAX_IMPORTS_CHARS) return name;
  const isTaken = list.namedChildren.some((other) => {
    const path = other.id === spec.id ? undefined : sourceOf(other);
    return path !== undefined && (other.childForFieldName("name")?.text ?? lastName(path)) === name;
  });
  return isTaken ? undefined : name;
}

function lastName(source: string): string {
  const path = source.replace(/\/v\d+$/, "");
  return path.slice(path.lastIndexOf("/") + 1).replaceAll(/^go-|[.-]go$|\.v\d+$/g, "");
}

export const go: Language = {
  name: "go",
  family: "go",
  grammar: { package: "tree-sitter-go", file: "tree-sitter-go.wasm" },
  query: QUERY,
  bindsLate: true,
  nodes: {
    ...NO_NODES,
    names: new Set(["identifier", "type_identifier", "field_identifier", "package_identifier"]),
    members: { selector_expression: ["operand", "field"], qualified_type: ["package", "name"] },
    calls: { call_expression: "function" },
    news: { composite_literal: "type" },
    around: new Set([
      "parenthesized_expression",
      "unary_expression",
      "slice_expression",
      "expression_list",
      "struct_type",
      "interface_type",
    ]),
    casts: new Set(["type_assertion_expression"]),
    elements: { index_expression: "operand" },
    wrappers: new Set(["type_declaration", "const_declaration", "var_declaration"]),
    functions: new Set(["func_literal"]),
    types: {
      ...NO_NODES.types,
      generic: new Set(["generic_type"]),
      array: new Set(["slice_type", "array_type"]),
      around: new Set(["pointer_type", "parameter_list", "parameter_declaration", "type_elem"]),
      nested: { qualified_type: ["package", "name"] },
      functions: new Set(["function_type"]),
    },
    fields: { body: ["body"], returns: ["result"], type: "type", value: ["value", "right"] },
  },
  visibleNames:
    /^(?!(?:nil|true|false|iota|string|error|any|bool|byte|rune|u?int\d*|uintptr|float\d+|complex\d+|len|cap|append|make|new|panic|recover|copy|delete|close|print|println|min|max|clear|_)$)/,
  readImport,
  readBuild: goBuild,
  readType: readGoType,
  readValue: definedType,
  declaredPart,
  libraryCall: builtInCall,
  isExported: (_, name) => /^\p{Lu}/u.test(name),
  isTest: (_, name, inTestFile) => inTestFile && /^(Test|Benchmark|Fuzz|Example)/.test(name),
};
