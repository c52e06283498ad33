/** Ruby: query, node types and imports. */
import type { Node } from "web-tree-sitter";
import { type ImportReader, type Language, NO_NODES } from "./language.ts";

const QUERY = `
(class name: (_) @name) @class
(module name: (_) @name) @module
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(assignment left: [(constant) (identifier) (instance_variable)] @name) @variable
(method_parameters (identifier) @name) @parameters
(method_parameters (optional_parameter name: (_) @name) @hidden)
(method_parameters (keyword_parameter name: (_) @name) @hidden)
(block_parameters (identifier) @name) @parameters
[(block) (do_block) (lambda)] @scope
(superclass (_) @extends)
(call method: (identifier) @required arguments: (argument_list . (string)) (#match? @required "^require(_relative)?$")) @import
(call method: (_) @callee) @call
(comment) @comment
`;

function readImport(node: Node, imports: ImportReader): void {
  const text = node.childForFieldName("arguments")?.namedChildren[0]?.text.slice(1, -1);
  if (text === undefined) return;
  const near = node.childForFieldName("method")?.text === "require_relative";
  imports.add({ source: near ? `./${text}` : text, name: "*", star: true }, undefined, node);
}

export const ruby: Language = {
  name: "ruby",
  family: "ruby",
  grammar: { package: "tree-sitter-ruby", file: "tree-sitter-ruby.wasm" },
  query: QUERY,
  nodes: {
    ...NO_NODES,
    names: new Set(["identifier", "constant"]),
    self: new Set(["self"]),
    members: { scope_resolution: ["scope", "name"] },
    calls: { call: ["receiver", "method"] },
    fields: { body: ["body"], returns: [], type: "type", value: ["right", "value"] },
  },
  implicitSelf: true,
  readImport,
  isExported: () => true,
  isTest: (_, name, inTestFile) => inTestFile && name.startsWith("test_"),
};
