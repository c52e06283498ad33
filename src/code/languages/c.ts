/** C and C++. The C++ grammar extends the C grammar, and so does its query. */
import type { Node } from "../syntax/tree.ts";
import { type ImportReader, type Language, NO_NODES } from "./language.ts";

const QUERY = `
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function
(declaration declarator: (function_declarator declarator: (identifier) @name)) @declared
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @declared
(struct_specifier name: (_) @name body: (_)) @class
(union_specifier name: (_) @name body: (_)) @class
(enum_specifier name: (_) @name body: (_)) @type
(type_definition declarator: (type_identifier) @name) @type
(preproc_function_def name: (_) @name) @function
(preproc_def name: (_) @name value: (_)) @constant
(parameter_declaration declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)]) @parameter
(declaration declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (init_declarator declarator: (identifier) @name)
  (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))]) @variable
(field_declaration declarator: [(field_identifier) @name (pointer_declarator declarator: (field_identifier) @name)]) @property
(compound_statement) @scope
(for_statement) @scope
(preproc_include) @import
(call_expression function: (_) @callee) @call
(return_statement (_) @value) @return
(comment) @comment
[(identifier) (type_identifier)] @use
`;

const CPP = `
(class_specifier name: (_) @name body: (_)) @class
(namespace_definition name: (_) @name) @module
(function_definition declarator: (function_declarator declarator: (field_identifier) @name)) @method
(function_definition declarator: (reference_declarator (function_declarator declarator: (field_identifier) @name))) @method
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))) @method
(function_definition declarator: (function_declarator declarator: (qualified_identifier) @name)) @detached
(field_declaration declarator: (function_declarator declarator: (field_identifier) @name)) @method
(alias_declaration name: (_) @name) @type
(base_class_clause [(type_identifier) (template_type) (qualified_identifier)] @extends)
(lambda_expression) @scope
(for_range_loop declarator: (identifier) @name right: (_) @of) @loop
(for_range_loop) @scope
(new_expression type: (_) @callee) @new
`;

/** Including a header makes all its names visible. */
function readImport(node: Node, imports: ImportReader): void {
  const path = node.childForFieldName("path");
  if (!path) return;
  imports.add(
    { source: `${path.type === "system_lib_string" ? "<" : ""}${path.text.slice(1, -1)}`, name: "*", star: true },
    undefined,
    node,
  );
}

const nodes = {
  ...NO_NODES,
  names: new Set(["identifier", "type_identifier", "field_identifier", "namespace_identifier"]),
  self: new Set(["this"]),
  members: { field_expression: ["argument", "field"], qualified_identifier: ["scope", "name"] } as const,
  calls: { call_expression: "function" },
  news: { new_expression: "type" },
  around: new Set(["parenthesized_expression", "pointer_expression", "template_function"]),
  elements: { subscript_expression: "argument" },
  wrappers: new Set(["template_declaration"]),
  functions: new Set(["lambda_expression"]),
  types: {
    ...NO_NODES.types,
    generic: new Set(["template_type"]),
    around: new Set(["type_descriptor", "struct_specifier"]),
    nested: { qualified_identifier: ["scope", "name"] } as const,
  },
  fields: { body: ["body"], returns: ["type"], type: "type", value: ["value"] },
};

const shared = {
  family: "c",
  nodes,
  readImport,
  visibleNames: /^[\p{L}_]{3,}/u,
  isExported: (node: Node) => !/^static\b/.test(node.text.slice(0, 16)),
  isTest: (_: Node, name: string, inTestFile: boolean) => inTestFile && /^test/i.test(name),
} as const;

export const c: Language = {
  ...shared,
  name: "c",
  grammar: { package: "tree-sitter-c", file: "tree-sitter-c.wasm" },
  query: QUERY,
};

export const cpp: Language = {
  ...shared,
  name: "cpp",
  implicitSelf: true,
  grammar: { package: "tree-sitter-cpp", file: "tree-sitter-cpp.wasm" },
  query: QUERY + CPP,
};
