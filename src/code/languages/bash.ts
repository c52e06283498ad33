/** Bash: query, node types and `source`. */
import type { Node } from "web-tree-sitter";
import { type ImportReader, type Language, NO_NODES } from "./language.ts";

const QUERY = `
(function_definition name: (word) @name) @function
(program (variable_assignment name: (variable_name) @name) @variable)
(program (declaration_command (variable_assignment name: (variable_name) @name) @variable))
(function_definition body: (compound_statement (declaration_command (variable_assignment name: (variable_name) @name) @hidden)))
(command name: (command_name (word) @required) argument: (_) (#match? @required "^(source|[.])$")) @import
(command name: (command_name (word) @callee)) @call
(comment) @comment
[(simple_expansion (variable_name) @use) (expansion (variable_name) @use)]
`;

/** `source "$FOLDER/lib/a.sh"`: the folder is known only when the script runs, the rest of the path is. */
function readImport(node: Node, imports: ImportReader): void {
  const argument = node.childForFieldName("argument")?.text.replace(/^["']|["']$/g, "");
  const source = argument?.replace(/^.*[$})]\w*\//, "./");
  if (source !== undefined && /^[\w./-]+$/.test(source))
    imports.add({ source, name: "*", star: true }, undefined, node);
}

export const bash: Language = {
  name: "bash",
  family: "bash",
  grammar: { package: "tree-sitter-bash", file: "tree-sitter-bash.wasm" },
  query: QUERY,
  nodes: { ...NO_NODES, names: new Set(["word", "variable_name"]) },
  readImport,
  isExported: () => true,
  isTest: (_, name, inTestFile) => inTestFile && /^test/.test(name),
};
