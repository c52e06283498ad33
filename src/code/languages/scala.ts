/** Scala: query, node types and imports. */
import type { Node } from "../syntax/tree.ts";
import type { ImportReader, Language } from "./language.ts";
import { NO_NODES } from "./node_types.ts";

const QUERY = `
(package_clause name: (_) @package)
(class_definition name: (_) @name) @class
(object_definition name: (_) @name) @class
(trait_definition name: (_) @name) @interface
(enum_definition name: (_) @name) @class
(type_definition name: (_) @name) @type
(function_definition name: (_) @name) @function
(function_declaration name: (_) @name) @method
(val_definition pattern: (identifier) @name) @variable
(var_definition pattern: (identifier) @name) @variable
(val_declaration name: (_) @name) @property
(class_parameter name: (_) @name) @property
(parameter name: (_) @name) @parameter
(lambda_expression parameters: (identifier) @name) @parameter
[(block) (lambda_expression) (for_expression) (case_clause)] @scope
(extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @extends)
(import_declaration) @import
(call_expression function: (_) @callee) @call
(instance_expression . (_) @callee) @new
[(comment) (block_comment)] @comment
[(identifier) (type_identifier)] @use
(field_expression field: (_) @key)
(assignment_expression left: (identifier) @key)
(type_parameters name: (_) @type_parameter)
`;

/** `import a.b.C`, `import a.b.{C, D => E}` and `import a.b._`. */
function readImport(node: Node, imports: ImportReader): void {
  const parts: string[] = [];
  for (const part of node.childrenForFieldName("path")) if (part?.type === "identifier") parts.push(part.text);
  const source = parts.join(".");
  const group = node.namedChildren.find((child) => child?.type === "namespace_selectors");
  const isWhole = (child: Node | null): boolean => child?.type === "namespace_wildcard";
  if (node.namedChildren.some(isWhole) || group?.namedChildren.some(isWhole)) {
    imports.add({ source, name: "*", star: true }, undefined, node);
    return;
  }
  if (group) {
    for (const each of group.namedChildren) {
      const name = each?.childForFieldName("name")?.text ?? each?.text;
      if (each && name !== undefined)
        imports.add({ source, name }, each.childForFieldName("alias")?.text ?? name, each);
    }
    return;
  }
  const name = parts.at(-1);
  if (name !== undefined) imports.add({ source: parts.slice(0, -1).join("."), name }, name, node);
}

export const scala: Language = {
  name: "scala",
  family: "jvm",
  grammar: { package: "tree-sitter-scala", file: "tree-sitter-scala.wasm" },
  query: QUERY,
  nodes: {
    ...NO_NODES,
    bodies: new Set(["template_body", "with_template_body", "enum_body", "class_parameters"]),
    self: new Set(["this"]),
    base: new Set(["super"]),
    members: { field_expression: ["value", "field"] },
    calls: { call_expression: "function" },
    // The grammar has no field for the type.
    news: { instance_expression: "" },
    around: new Set(["parenthesized_expression", "generic_function"]),
    functions: new Set(["lambda_expression"]),
    types: {
      ...NO_NODES.types,
      generic: new Set(["generic_type"]),
      nested: { stable_type_identifier: ["", ""] },
    },
    fields: { body: ["body"], returns: ["return_type"], type: "type", value: ["value"] },
  },
  implicitSelf: true,
  selfNames: new Set(["this"]),
  visibleNames: /^\p{Lu}/u,
  readImport,
  isExported: (node) => !/\bprivate\b/.test(node.namedChildren.find((each) => each?.type === "modifiers")?.text ?? ""),
  isTest: (_, name, inTestFile) => inTestFile && name.startsWith("test"),
};
