/** Python: query, node types and imports. */
import type { Node } from "../../syntax/tree.ts";
import type { ImportReader, Language } from "../language.ts";
import { NO_NODES } from "../node_types.ts";
import { aliasedType, isEmptyBase } from "./aliased_type.ts";
import { lambdaParameter } from "./lambdas.ts";
import { libraryCall } from "./library_calls.ts";
import { readVerdict, typeChecks } from "./type_checks.ts";
import { readPythonType } from "./types.ts";

const OPERATORS = {
  "+": "__add__",
  "-": "__sub__",
  "*": "__mul__",
  "/": "__truediv__",
  "|": "__or__",
  "&": "__and__",
};

/** A condition that does not hold, and code that leaves the block. */
const NOT = "(not_operator argument: (_) @ensured)";

const QUERY = `
(class_definition name: (_) @name) @class
(function_definition name: (_) @name) @function
(assignment left: (_) @name) @variable
(type_alias_statement left: (type [(identifier) @name (generic_type . (identifier) @name)])) @type
(named_expression name: (_) @name) @variable
(parameters (identifier) @name) @parameters
(parameters [(list_splat_pattern (identifier) @name) (dictionary_splat_pattern (identifier) @name)]) @parameters
(parameters (default_parameter name: (_) @name) @parameter)
(parameters (typed_parameter . (identifier) @name) @parameter)
(parameters (typed_default_parameter name: (_) @name) @parameter)
(parameters (typed_parameter . (list_splat_pattern (identifier) @name)) @parameter)
(parameters (typed_parameter . (dictionary_splat_pattern (identifier) @name)) @parameter)
(lambda_parameters (identifier) @name) @parameters
(lambda_parameters (default_parameter name: (_) @name) @parameter)
(for_statement left: (_) @name right: (_) @of) @loop
(for_in_clause left: (_) @name right: (_) @of) @loop
(as_pattern (_) @of alias: (as_pattern_target (_) @name)) @alias
(if_statement condition: (_) @of consequence: (block) @checked)
(elif_clause condition: (_) @of consequence: (block) @checked)
(boolean_operator left: (_) @of operator: "and" right: (_) @checked)
(conditional_expression . (_) @checked . (_) @of)
(assert_statement . (_) @ensured)
(match_statement subject: (_) @of body: (block (case_clause) @case))
(boolean_operator left: (not_operator argument: (_) @of) operator: "or" right: (_) @checked)
(if_statement condition: [${NOT} (boolean_operator left: ${NOT} operator: "or") (boolean_operator operator: "or" right: ${NOT})]
 consequence: (block [(return_statement) (raise_statement) (continue_statement) (break_statement)]))
[(lambda) (list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @scope
(import_statement) @import
(import_from_statement) @import
(call function: (_) @callee) @call
(class_definition superclasses: (argument_list [(identifier) (attribute) (subscript)] @extends))
(class_definition superclasses: (argument_list (keyword_argument) @metaclass))
(return_statement (_) @value) @return
(yield) @yielded
(comment) @comment
(identifier) @use
(attribute attribute: (identifier) @key)
(attribute object: (identifier)) @use_member
(keyword_argument name: (identifier) @key)
`;

function readImport(node: Node, imports: ImportReader): void {
  if (node.type === "import_statement") {
    for (const part of node.childrenForFieldName("name")) {
      if (!part) continue;
      const alias = part.childForFieldName("alias")?.text;
      const source = (part.childForFieldName("name") ?? part).text;
      const first = source.split(".")[0] ?? source;
      // `import a.b` binds the name `a` and loads both modules.
      if (alias === undefined && first !== source) imports.add({ source: first, name: "*" }, first, part);
      imports.add({ source, name: "*" }, alias ?? (first === source ? source : undefined), part);
    }
    return;
  }
  const source = node.childForFieldName("module_name")?.text.replaceAll(/\s+/g, "");
  if (source === undefined) return;
  if (node.namedChildren.some((child) => child?.type === "wildcard_import")) {
    imports.add({ source, name: "*", star: true }, undefined, node);
  }
  for (const part of node.childrenForFieldName("name")) {
    if (!part) continue;
    const name = (part.childForFieldName("name") ?? part).text;
    imports.add({ source, name }, part.childForFieldName("alias")?.text ?? name, part);
  }
}

export const python: Language = {
  name: "python",
  family: "python",
  grammar: { package: "tree-sitter-python", file: "tree-sitter-python.wasm" },
  query: QUERY,
  nodes: {
    ...NO_NODES,
    names: new Set(["identifier"]),
    members: { attribute: ["object", "attribute"] },
    calls: { call: "function" },
    awaits: new Set(["await"]),
    elements: { subscript: "value" },
    wrappers: new Set(["decorated_definition", "expression_statement"]),
    functions: new Set(["lambda"]),
    types: {
      ...NO_NODES.types,
      generic: new Set(["generic_type", "subscript"]),
      union: new Set(["union_type", "binary_operator"]),
      around: new Set(["type"]),
      nested: { attribute: ["object", "attribute"] },
    },
    patterns: { ...NO_NODES.patterns, array: new Set(["pattern_list", "tuple_pattern", "list_pattern"]) },
    fields: { body: ["body"], returns: ["return_type"], type: "type", value: ["right", "value"] },
  },
  readImport,
  readType: readPythonType,
  libraryCall,
  lambdaParameter,
  operators: OPERATORS,
  aliasedType,
  isEmptyBase,
  typeChecks,
  readVerdict,
  isExported: (_, name) => !name.startsWith("_"),
  isTest: (_, name, inTestFile) => inTestFile && name.startsWith("test"),
  typeContexts: new Set(["type"]),
  docstring: true,
  explicitSelf: true,
};
