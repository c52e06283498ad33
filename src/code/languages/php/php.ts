/** PHP: query, node types and imports. */
import type { Node } from "../../syntax/tree.ts";
import type { ImportReader, Language } from "../language.ts";
import { NO_NODES } from "../node_types.ts";
import { instanceofChecks } from "../type_checks.ts";
import { callForms, lambdaParameter, libraryCall } from "./library_calls.ts";
import { readPhpPath } from "./paths.ts";
import { readPhpPattern } from "./patterns.ts";
import { assertedChecks } from "./type_checks.ts";

/** A condition that does not hold, and code that leaves the block. */
const NOT = "(unary_op_expression argument: (_) @ensured)";
const LEAVING = "(return_statement) (continue_statement) (break_statement) (expression_statement (throw_expression))";

const QUERY = `
(namespace_definition name: (_) @package)
(class_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(trait_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(function_definition name: (_) @name) @function
(method_declaration name: (_) @name) @method
(const_declaration (const_element (name) @name)) @constant
(property_declaration (property_element name: (variable_name (name) @name))) @property
(enum_case name: (name) @variant)
[(simple_parameter name: (variable_name) @name) (variadic_parameter name: (variable_name) @name) (property_promotion_parameter name: (variable_name) @name)] @parameter
(catch_clause name: (variable_name) @name) @parameter
(assignment_expression left: [(variable_name) (list_literal)] @name) @variable
(augmented_assignment_expression left: (variable_name) @name operator: "??=") @variable
[(assignment_expression left: (subscript_expression . (_) @of)) (augmented_assignment_expression left: (subscript_expression . (_) @of))] @filled
(assignment_expression left: (member_access_expression object: (variable_name)) @name) @assign
(foreach_statement . (_) @of . [(variable_name) (list_literal)] @name) @loop
(foreach_statement . (_) @of . (pair (_) . [(variable_name) (list_literal)] @name)) @loop
[(anonymous_function) (arrow_function)] @scope
(if_statement condition: (_) @of body: (_) @checked)
(else_if_clause condition: (_) @of body: (_) @checked)
(binary_expression left: (_) @of operator: ["&&" "and"] right: (_) @checked)
(conditional_expression condition: (_) @of body: (_) @checked)
(binary_expression left: (unary_op_expression argument: (_) @of) operator: "||" right: (_) @checked)
(if_statement condition: (parenthesized_expression [
  ${NOT}
  (binary_expression left: [${NOT} (binary_expression left: ${NOT} operator: "||")] operator: "||")
  (binary_expression operator: "||" right: ${NOT})])
 body: [${LEAVING} (compound_statement [${LEAVING}])])
(base_clause (_) @extends)
(use_declaration [(name) (qualified_name)] @extends)
(class_interface_clause (_) @implements)
(namespace_use_declaration) @import
(function_call_expression function: (_) @callee) @call
(member_call_expression name: (_) @callee) @call
(nullsafe_member_call_expression name: (_) @callee) @call
(scoped_call_expression name: (_) @callee) @call
(object_creation_expression . [(name) (qualified_name) (variable_name) (member_access_expression) (subscript_expression) (scoped_property_access_expression)] @callee) @new
(return_statement (_) @value) @return
(yield_expression) @yielded
(comment) @comment
(name) @use
[(member_access_expression name: (name) @key) (member_call_expression name: (name) @key)
 (scoped_call_expression name: (name) @key) (variable_name (name) @key) (namespace_name (name) @key)
 (argument name: (name) @key)]
`;

/** `use A\B`, `use A\{B, C\D as E}`. */
function readImport(node: Node, imports: ImportReader): void {
  const group = node.childForFieldName("body");
  const before = group ? (node.namedChildren.find(({ type }) => type === "namespace_name")?.text ?? "") : "";
  for (const clause of (group ?? node).namedChildren) {
    const own = clause.type === "namespace_use_clause" ? clause.namedChildren[0]?.text : undefined;
    if (own === undefined) continue;
    const path = (before === "" ? own : `${before}\\${own}`).replace(/^\\/, "");
    const cut = path.lastIndexOf("\\");
    const name = path.slice(cut + 1);
    const local = clause.childForFieldName("alias")?.text ?? name;
    imports.add({ source: path.slice(0, Math.max(0, cut)), name }, local, clause);
  }
}

export const php: Language = {
  name: "php",
  family: "php",
  grammar: { package: "tree-sitter-php", file: "tree-sitter-php.wasm" },
  query: QUERY,
  nodes: {
    ...NO_NODES,
    names: new Set(["name", "variable_name"]),
    members: {
      member_access_expression: ["object", "name"],
      nullsafe_member_access_expression: ["object", "name"],
      qualified_name: ["prefix", "name"],
      class_constant_access_expression: ["", ""],
      scoped_property_access_expression: ["scope", "name"],
    },
    calls: {
      function_call_expression: "function",
      member_call_expression: ["object", "name"],
      nullsafe_member_call_expression: ["object", "name"],
      scoped_call_expression: ["scope", "name"],
    },
    news: { object_creation_expression: "" },
    around: new Set(["parenthesized_expression", "clone_expression"]),
    elements: { subscript_expression: "" },
    functions: new Set(["anonymous_function", "arrow_function"]),
    types: {
      ...NO_NODES.types,
      around: new Set(["named_type", "optional_type"]),
      union: new Set(["union_type", "type_list"]),
    },
    fields: { body: ["body"], returns: ["return_type"], type: "type", value: ["right", "default_value"] },
  },
  selfNames: new Set(["$this", "self", "static"]),
  baseName: "parent",
  readPath: readPhpPath,
  readPattern: readPhpPattern,
  libraryCall,
  callForms,
  lambdaParameter,
  visibleNames: /^\p{Lu}/u,
  typeContexts: new Set(["named_type"]),
  readImport,
  typeChecks: instanceofChecks,
  assertedChecks,
  isExported: (node) =>
    !node.namedChildren.some((child) => child?.type === "visibility_modifier" && child.text === "private"),
  isTest: (_, name, inTestFile) => inTestFile && name.startsWith("test"),
};
