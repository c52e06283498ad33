/** Node types, imports and exports shared by JavaScript and TypeScript. */

import { TAG } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { ExportReader, ImportReader } from "../language.ts";
import type { NodeTypes } from "../node_types.ts";

export const ECMASCRIPT_NODES: NodeTypes = {
  names: new Set(["identifier", "type_identifier", "property_identifier", "shorthand_property_identifier"]),
  self: new Set(["this"]),
  base: new Set(["super"]),
  members: { member_expression: ["object", "property"], nested_identifier: ["object", "property"] },
  calls: { call_expression: "function" },
  news: { new_expression: "constructor" },
  awaits: new Set(["await_expression"]),
  around: new Set([
    "parenthesized_expression",
    "non_null_expression",
    "satisfies_expression",
    "instantiation_expression",
  ]),
  builtIn: new Set(),
  casts: new Set(["as_expression"]),
  elements: { subscript_expression: "object" },
  bodies: new Set(),
  wrappers: new Set(["export_statement", "lexical_declaration", "variable_declaration", "ambient_declaration"]),
  functions: new Set(["arrow_function", "function_expression", "function", "generator_function"]),
  records: new Set(["object"]),
  types: {
    generic: new Set(["generic_type"]),
    array: new Set(["array_type"]),
    union: new Set(["union_type"]),
    around: new Set(["type_annotation", "parenthesized_type", "readonly_type", "asserts_annotation"]),
    nested: { nested_type_identifier: ["module", "name"], nested_identifier: ["object", "property"] },
    functions: new Set(["function_type"]),
    records: new Set(["object_type"]),
    query: new Set(["type_query"]),
  },
  patterns: {
    object: new Set(["object_pattern"]),
    array: new Set(["array_pattern"]),
    pair: { pair_pattern: ["key", "value"] },
    shorthand: new Set(["shorthand_property_identifier_pattern"]),
    around: new Set(["assignment_pattern", "object_assignment_pattern", "rest_pattern"]),
  },
  fields: { body: ["body"], returns: ["return_type"], type: "type", value: ["value", "right"] },
};

/** A condition that does not hold, and code that leaves the block. */
const NOT = '(unary_expression operator: "!" argument: (_) @ensured)';
const LEAVING = "(return_statement) (throw_statement) (continue_statement) (break_statement)";

export const ECMASCRIPT_QUERY = `
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(method_definition name: (_) @name) @method
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
(variable_declarator name: (_) @name) @variable
(export_statement value: [(arrow_function) (function_expression) (object)]) @default
(arrow_function parameter: (identifier) @name) @parameter
(catch_clause parameter: (_) @name) @parameter
(for_in_statement left: (_) @name right: (_) @of) @loop
[(arrow_function) (function_expression) (generator_function) (statement_block) (for_statement)
 (for_in_statement) (catch_clause) (switch_body) (class_static_block)] @scope
(if_statement condition: (_) @of consequence: (_) @checked)
(binary_expression left: (_) @of operator: "&&" right: (_) @checked)
(ternary_expression condition: (_) @of consequence: (_) @checked)
(binary_expression left: (unary_expression operator: "!" argument: (_) @of) operator: "||" right: (_) @checked)
(if_statement condition: (parenthesized_expression [
  ${NOT}
  (binary_expression left: [${NOT} (binary_expression left: ${NOT} operator: "||")] operator: "||")
  (binary_expression operator: "||" right: ${NOT})])
 consequence: [${LEAVING} (statement_block [${LEAVING}])])
(import_statement) @import
(export_statement) @export
(call_expression function: (_) @callee) @call
(new_expression constructor: (_) @callee) @new
(jsx_opening_element name: (_) @callee) @call
(jsx_self_closing_element name: (_) @callee) @call
(assignment_expression left: (member_expression object: (this)) @name) @assign
(assignment_expression left: (member_expression) @name right: (_) @of) @member_assignment
(assignment_expression left: (identifier) @name right: (_) @of) @reassigned
(augmented_assignment_expression left: (identifier) @name right: (_) @of) @reassigned
(yield_expression (_) @of) @generated
(class name: (_) @name) @class
(class) @class_in_place
(return_statement (_) @value) @return
(comment) @comment
[(identifier) (shorthand_property_identifier)] @use
(function_expression name: (_) @key)
(member_expression object: [(identifier) (this)] property: (property_identifier)) @use_member
`;

/** `import d, * as all, { a as b } from "x"`, and `import x = require("y")`. */
export function readEcmascriptImport(node: Node, imports: ImportReader): void {
  const required = node.namedChildren.find((child) => child?.type === "import_require_clause");
  const source = stringOf((required ?? node).childForFieldName("source"));
  if (source === undefined) return;
  if (required) {
    imports.add({ source, name: "*" }, required.namedChildren[0]?.text, required);
    return;
  }
  const clause = node.namedChildren.find((child) => child?.type === "import_clause");
  if (!clause) {
    imports.add({ source, name: "" }, undefined, node);
    return;
  }
  for (const part of clause.namedChildren) {
    if (!part) continue;
    if (part.type === "identifier") imports.add({ source, name: "default" }, part.text, part);
    else if (part.type === "namespace_import") imports.add({ source, name: "*" }, part.namedChildren[0]?.text, part);
    else if (part.type === "named_imports") {
      if (part.namedChildCount === 0) imports.add({ source, name: "" }, undefined, part);
      for (const specifier of part.namedChildren) {
        const name = nameOf(specifier?.childForFieldName("name"));
        const alias = specifier?.childForFieldName("alias")?.text;
        if (specifier && name !== undefined) imports.add({ source, name }, alias ?? name, specifier);
      }
    }
  }
}

export function readEcmascriptExport(node: Node, exports: ExportReader): void {
  const source = stringOf(node.childForFieldName("source"));
  const clause = node.namedChildren.find((child) => child?.type === "export_clause");
  const space = node.namedChildren.find((child) => child?.type === "namespace_export");
  if (clause) {
    for (const specifier of clause.namedChildren) {
      const name = nameOf(specifier?.childForFieldName("name"));
      if (!specifier || name === undefined) continue;
      const alias = nameOf(specifier.childForFieldName("alias")) ?? name;
      const value =
        source === undefined
          ? exports.lookUp(name)
          : ([TAG.import, exports.add({ source, name }, undefined, specifier)] as const);
      exports.addExport({ name: alias, value });
    }
  } else if (space && source !== undefined) {
    const name = nameOf(space.namedChildren[0]);
    const index = exports.add({ source, name: "*" }, undefined, space);
    if (name !== undefined) exports.addExport({ name, value: [TAG.import, index] });
  } else if (source !== undefined) {
    exports.addExport({ name: "*", star: exports.add({ source, name: "*" }, undefined, node) });
  } else if (node.children.some((child) => child?.type === "default")) {
    const declared = node.childForFieldName("declaration");
    const name = declared?.childForFieldName("name")?.text;
    if (name !== undefined) exports.addExport({ name: "default", value: exports.lookUp(name) });
    const expression = node.childForFieldName("value");
    const value = expression && exports.expression(expression);
    if (value) exports.addExport({ name: "default", value });
  }
}

export function isEcmascriptExported(node: Node): boolean {
  // `export const Item = class { … }`
  const isHeld = node.type === "class" && node.parent?.type === "variable_declarator";
  for (let at: Node | null = (isHeld ? node.parent : node)?.parent ?? null; at; at = at.parent) {
    if (at.type === "export_statement") return true;
    if (!ECMASCRIPT_NODES.wrappers.has(at.type)) return false;
  }
  return false;
}

function stringOf(node: Node | null | undefined): string | undefined {
  return node?.type === "string" ? node.text.slice(1, -1) : undefined;
}

/** A name may be written as a string: `export { a as "b-c" }`. */
function nameOf(node: Node | null | undefined): string | undefined {
  return stringOf(node) ?? node?.text;
}
