/** C#: query, node types and imports. */
import { STATIC } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { ImportReader, Language } from "../language.ts";
import { NO_NODES } from "../node_types.ts";
import { builtText } from "./conditions.ts";
import { readCsharpForm } from "./forms.ts";
import { csharpParameters, readCsharpType } from "./types.ts";

const QUERY = `
(namespace_declaration name: (_) @package)
(file_scoped_namespace_declaration name: (_) @package)
(class_declaration name: (_) @name) @class
(struct_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @type
(delegate_declaration name: (_) @name) @type
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(local_function_statement name: (_) @name) @function
(property_declaration name: (_) @name) @property
(indexer_declaration "this" @name) @property
(field_declaration (variable_declaration (variable_declarator name: (_) @name) @property))
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name) @property))
(local_declaration_statement (variable_declaration (variable_declarator name: (_) @name) @variable))
(local_declaration_statement (variable_declaration (variable_declarator . (tuple_pattern) @name) @variable))
(for_statement initializer: (variable_declaration (variable_declarator name: (_) @name) @variable))
(using_statement (variable_declaration (variable_declarator name: (_) @name) @variable))
(lambda_expression parameters: (implicit_parameter) @name) @parameter
(parameter name: (_) @name) @parameter
(parameter_list name: (identifier) @name) @parameter
(recursive_pattern name: (identifier) @name) @parameter
(var_pattern name: (identifier) @name) @parameter
(declaration_pattern type: (_) name: (identifier) @name) @parameter
(declaration_expression type: (_) name: (identifier) @name) @parameter
(catch_declaration type: (_) name: (identifier) @name) @parameter
(foreach_statement left: (_) @name right: (_) @of) @loop
(from_clause name: (_) @name . (_) @of) @loop
(join_clause . (identifier) @name . (_) @of) @loop
(let_clause . (identifier) @name . (_) @of) @alias
[(block) (lambda_expression) (anonymous_method_expression) (for_statement) (foreach_statement) (catch_clause) (switch_section) (switch_expression_arm) (query_expression)] @scope
(base_list (_) @extends)
(using_directive) @import
(invocation_expression function: (_) @callee) @call
(object_creation_expression type: (_) @callee) @new
(constructor_initializer ["base" "this"] @callee) @call
(argument . (identifier) @callee) @bare_call
(assignment_expression right: (identifier) @callee) @bare_call
(return_statement (_) @value) @return
(comment) @comment
(identifier) @use
(member_access_expression name: (identifier) @key)
(member_binding_expression name: (identifier) @key)
(enum_member_declaration name: (identifier) @key)
(type_parameter name: (identifier) @type_parameter)
`;

function readImport(node: Node, imports: ImportReader): void {
  const named = node.namedChildren.at(-1);
  if (!named) return;
  const alias = node.childForFieldName("name")?.text;
  const isStatic = node.children.some(({ type }) => type === "static");
  if (alias === undefined && !isStatic) {
    imports.add({ source: named.text, name: "*", star: true }, undefined, node);
    return;
  }
  // Another name for a type, or the members of one.
  const [source, name] = [named.childForFieldName("qualifier")?.text ?? "", named.childForFieldName("name") ?? named];
  if (name.type === "identifier")
    imports.add({ source, name: name.text, ...(isStatic ? { inner: STATIC } : {}) }, alias, node);
}

/** A parameter with a default may be left out, as is the one that an extension method is called on; `params` takes any number. */
function takenBy(method: Node): [number, number] | undefined {
  const list = method.childForFieldName("parameters");
  if (!list) return undefined;
  const all = list.namedChildren.filter(({ type }) => type === "parameter");
  const needed = all.filter((each) => !each.children.some(({ type, text }) => type === "=" || text === "this"));
  const isOpen = list.childForFieldName("name") !== null;
  return [needed.length, isOpen ? Number.MAX_SAFE_INTEGER : all.length];
}

function givenTo(call: Node): number | undefined {
  const list = call.type === "invocation_expression" ? call.childForFieldName("arguments") : null;
  return list?.namedChildren.filter(({ type }) => type === "argument").length;
}

export const csharp: Language = {
  name: "csharp",
  family: "csharp",
  grammar: { package: "tree-sitter-c-sharp", file: "tree-sitter-c_sharp.wasm" },
  query: QUERY,
  nodes: {
    ...NO_NODES,
    names: new Set(["identifier", "type_identifier", "implicit_parameter"]),
    bodies: new Set(["preproc_if", "preproc_else", "preproc_elif"]),
    wrappers: new Set(["field_declaration", "event_field_declaration", "variable_declaration"]),
    around: new Set(["parenthesized_expression"]),
    self: new Set(["this_expression", "this"]),
    base: new Set(["base_expression", "base"]),
    members: {
      member_access_expression: ["expression", "name"],
      conditional_access_expression: ["condition", ""],
      qualified_name: ["qualifier", "name"],
    },
    calls: { invocation_expression: "function" },
    news: { object_creation_expression: "type" },
    casts: new Set(["cast_expression", "as_expression"]),
    builtIn: new Set([
      "predefined_type",
      "string_literal",
      "verbatim_string_literal",
      "raw_string_literal",
      "interpolated_string_expression",
      "character_literal",
      "integer_literal",
      "real_literal",
      "boolean_literal",
      "typeof_expression",
    ]),
    awaits: new Set(["await_expression"]),
    elements: { element_access_expression: "expression" },
    functions: new Set(["lambda_expression"]),
    types: {
      ...NO_NODES.types,
      generic: new Set(["generic_name"]),
      array: new Set(["array_type"]),
      around: new Set(["nullable_type", "ref_type", "scoped_type"]),
      nested: { qualified_name: ["qualifier", "name"] },
    },
    patterns: { ...NO_NODES.patterns, array: new Set(["tuple_pattern"]) },
    fields: { body: ["body"], returns: ["returns", "type"], type: "type", value: ["value"] },
  },
  implicitSelf: true,
  extensionModifier: "this",
  visibleNames: /^\p{Lu}/u,
  typeContexts: new Set([
    "type_argument_list",
    "base_list",
    "nullable_type",
    "array_type",
    "parameter",
    "typeof_expression",
  ]),
  readImport,
  repairText: builtText,
  readType: readCsharpType,
  readForm: readCsharpForm,
  parameterTypes: csharpParameters,
  arity: { of: takenBy, given: givenTo },
  isExported: (node) => !node.namedChildren.some((child) => child?.type === "modifier" && child.text === "private"),
  isTest: (node) => /\[(Fact|Theory|Test|TestMethod)\b/.test(node.namedChildren[0]?.text ?? ""),
};
