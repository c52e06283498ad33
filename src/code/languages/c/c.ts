/** C and C++. The C++ grammar extends the C grammar, and so does its query. */
import { type Expression, TAG } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { ImportReader, Language, PathReader } from "../language.ts";
import { NO_NODES } from "../node_types.ts";
import { argumentCount, parameterCount } from "./arity.ts";
import { withoutAttributes } from "./macros.ts";
import {
  cppLambdaParameter,
  cppLibraryCall,
  readCppForm,
  readCppPattern,
  readCppType,
  trailingType,
} from "./values.ts";
import { unwrapped } from "./wrapped.ts";

const QUERY = `
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) @function
(function_definition declarator: (function_declarator declarator: (parenthesized_declarator (identifier) @name))) @function
(function_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))))) @function
(declaration declarator: (function_declarator declarator: (identifier) @name)) @declared
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) @declared
(declaration declarator: (function_declarator declarator: (parenthesized_declarator (identifier) @name))) @declared
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
(function_definition declarator: (reference_declarator (function_declarator declarator: (qualified_identifier) @name))) @detached
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier) @name))) @detached
(function_definition declarator: (reference_declarator (function_declarator declarator: (identifier) @name))) @function
(declaration declarator: (reference_declarator (function_declarator declarator: (identifier) @name))) @declared
(field_declaration_list (template_declaration (declaration declarator: (function_declarator declarator: (identifier) @name)) @method))
(field_declaration_list (template_declaration (declaration declarator: (reference_declarator (function_declarator declarator: (identifier) @name))) @method))
(field_declaration_list (template_declaration (declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @method))
(function_definition declarator: (function_declarator declarator: (operator_name) @name)) @method
(function_definition declarator: (reference_declarator (function_declarator declarator: (operator_name) @name))) @method
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (operator_name) @name))) @method
(field_declaration declarator: (function_declarator declarator: (operator_name) @name)) @method
(field_declaration declarator: (reference_declarator (function_declarator declarator: (operator_name) @name))) @method
(field_declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (operator_name) @name))) @method
(field_declaration declarator: (function_declarator declarator: (field_identifier) @name)) @method
(field_declaration declarator: (reference_declarator (function_declarator declarator: (field_identifier) @name))) @method
(field_declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))) @method
(parameter_declaration declarator: (reference_declarator (identifier) @name)) @parameter
(declaration declarator: (init_declarator declarator: (reference_declarator (identifier) @name))) @variable
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @property
(alias_declaration name: (_) @name) @type
(base_class_clause [(type_identifier) (template_type) (qualified_identifier)] @extends)
(lambda_expression) @scope
(for_range_loop declarator: [(identifier) @name (structured_binding_declarator) @name
  (reference_declarator [(identifier) @name (structured_binding_declarator) @name])
  (pointer_declarator (identifier) @name)] right: (_) @of) @loop
(declaration declarator: (init_declarator declarator: [(structured_binding_declarator) @name
  (reference_declarator (structured_binding_declarator) @name)])) @variable
(declaration declarator: [(array_declarator declarator: (identifier) @name)
  (init_declarator declarator: (array_declarator declarator: (identifier) @name))]) @variable
(field_declaration declarator: (array_declarator declarator: (field_identifier) @name)) @property
(parameter_declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))) @parameter
(lambda_capture_initializer left: (identifier) @name right: (_) @of) @alias
(for_range_loop) @scope
(new_expression type: (_) @callee) @new
(new_expression type: (template_type name: (_) @callee)) @new
(compound_literal_expression type: [(type_identifier) (qualified_identifier)] @callee) @new
(compound_literal_expression type: (template_type name: (_) @callee)) @new
(declaration type: [(type_identifier) (qualified_identifier)] @callee declarator: (init_declarator value: [(argument_list) (initializer_list)])) @new
(declaration type: (template_type name: (_) @callee) declarator: (init_declarator value: [(argument_list) (initializer_list)])) @new
(compound_statement (declaration type: [(type_identifier) (qualified_identifier)] @callee declarator: (function_declarator declarator: (identifier) parameters: (parameter_list (_)))) @new)
(compound_statement (declaration declarator: (function_declarator declarator: (identifier) @name)) @variable)
(field_initializer [(field_identifier) (qualified_identifier)] @callee (argument_list)) @call
(field_initializer (template_method name: (field_identifier) @callee) (argument_list)) @call
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

const MAX_SEGMENTS = 12;

/** `app::Store::open`: the grammar nests a path to the right, so its names are read in order. */
function readPath(node: Node, { lookUp }: PathReader): Expression | undefined {
  if (node.type !== "qualified_identifier") return undefined;
  const names: string[] = [];
  let at: Node | null = node;
  while (at?.type === "qualified_identifier" && names.length < MAX_SEGMENTS) {
    const scope = at.childForFieldName("scope");
    if (!scope) return undefined;
    names.push(nameOf(scope));
    at = at.childForFieldName("name");
  }
  const isTemplate = node.childForFieldName("scope")?.type === "template_type";
  if (!at || (names.length < 2 && !isTemplate)) return undefined;
  const [first = "", ...rest] = names;
  const head: Expression = lookUp(first) ?? [TAG.freeName, ""];
  return [...rest, nameOf(at)].reduce<Expression>((of, name) => [TAG.member, of, name], head);
}

/** `auto x = f();` has the value inside the declarator; the value of an alias is its type. */
function readValue(node: Node): Node | null {
  if (node.type === "alias_declaration" || node.type === "type_definition") return node.childForFieldName("type");
  const declarator = node.type === "declaration" ? node.childForFieldName("declarator") : null;
  return declarator?.type === "init_declarator" ? declarator.childForFieldName("value") : null;
}

/** Without the arguments of a template. */
function nameOf(node: Node): string {
  return (node.childForFieldName("name") ?? node).text;
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
  // A test takes no arguments.
  isTest: (node: Node, name: string, inTestFile: boolean) =>
    inTestFile && /^test/i.test(name) && /^[^(]*\(\s*(void)?\s*\)/.test(node.text),
} as const;

export const c: Language = {
  ...shared,
  name: "c",
  prepareText: (text) => withoutAttributes(unwrapped(text)),
  grammar: { package: "tree-sitter-c", file: "tree-sitter-c.wasm" },
  query: QUERY,
};

export const cpp: Language = {
  ...shared,
  name: "cpp",
  arity: { of: parameterCount, given: argumentCount },
  // Headers are read as C++, whatever includes them.
  prepareText: (text) => withoutAttributes(unwrapped(text)),
  readPath,
  readValue,
  readForm: readCppForm,
  readPattern: readCppPattern,
  readType: readCppType,
  statedResult: trailingType,
  libraryCall: cppLibraryCall,
  lambdaParameter: cppLambdaParameter,
  implicitSelf: true,
  grammar: { package: "tree-sitter-cpp", file: "tree-sitter-cpp.wasm" },
  query: QUERY + CPP,
};
