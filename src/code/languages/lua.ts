/** Lua: query and node types. A module is the table that its file returns. */
import type { Node } from "../syntax/tree.ts";
import type { Language } from "./language.ts";
import { NO_NODES } from "./node_types.ts";

const QUERY = `
(function_declaration name: (identifier) @name) @function
(function_declaration name: [(dot_index_expression) (method_index_expression)] @name) @detached
(assignment_statement (variable_list . name: (dot_index_expression) @name) (expression_list . value: (function_definition))) @detached
(variable_declaration (assignment_statement (variable_list . name: (identifier) @name)) @variable)
(chunk (assignment_statement (variable_list . name: (identifier) @name)) @variable)
(chunk (return_statement (expression_list . (identifier) @name)) @module_value)
(parameters name: (identifier) @name) @parameters
(for_generic_clause (variable_list name: (identifier) @name) @hidden)
(for_numeric_clause name: (identifier) @name) @hidden
[(block) (function_definition) (for_statement)] @scope
(function_call name: (_) @callee) @call
(comment) @comment
(identifier) @use
[(dot_index_expression field: (_) @key) (method_index_expression method: (_) @key)]
(dot_index_expression table: (identifier)) @use_member
(field name: (identifier) @key)
`;

export const lua: Language = {
  name: "lua",
  family: "lua",
  grammar: { package: "@tree-sitter-grammars/tree-sitter-lua", file: "tree-sitter-lua.wasm" },
  query: QUERY,
  nodes: {
    ...NO_NODES,
    members: { dot_index_expression: ["table", "field"], method_index_expression: ["table", "method"] },
    calls: { function_call: "name" },
    functions: new Set(["function_definition"]),
    wrappers: new Set(["variable_declaration"]),
    fields: { body: ["body"], returns: [], type: "type", value: ["value"] },
  },
  selfNames: new Set(["self"]),
  readValue,
  isExported: (node) => node.type !== "function_declaration" || !/^local\b/.test(node.text.slice(0, 6)),
  isTest: (_, name, inTestFile) => inTestFile && /^test/i.test(name),
};

/** The first value of an assignment. */
function readValue(node: Node): Node | null {
  return node.namedChildren.find((each) => each?.type === "expression_list")?.namedChildren[0] ?? null;
}
