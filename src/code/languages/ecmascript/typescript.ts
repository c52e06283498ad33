/** TypeScript, with and without JSX. */

import type { Language } from "../language.ts";
import {
  ECMASCRIPT_NODES,
  ECMASCRIPT_QUERY,
  isEcmascriptExported,
  readEcmascriptExport,
  readEcmascriptImport,
} from "./ecmascript.ts";
import { libraryCall, libraryObject } from "./library_calls.ts";
import { withoutNewerSyntax } from "./newer_syntax.ts";
import { reactParameter } from "./react_calls.ts";
import { separateSignatures } from "./signatures.ts";
import { assertedChecks, guardIn, readVerdict, typeChecks } from "./type_guards.ts";

const QUERY = `
(function_signature name: (_) @name) @function
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @type
(internal_module name: (_) @name) @module
(module name: (_) @name) @module
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(public_field_definition name: (_) @name) @property
(property_signature name: (_) @name) @property
(required_parameter pattern: (_) @name) @parameter
(optional_parameter pattern: (_) @name) @parameter
(extends_clause value: (_) @extends)
(extends_type_clause type: (_) @extends)
(implements_clause (_) @implements)
(decorator (identifier) @callee) @call
(type_identifier) @use
(nested_type_identifier name: (type_identifier) @key)
(nested_type_identifier) @use_member
(type_parameter name: (_) @type_parameter)
(mapped_type_clause name: (_) @type_parameter)
(infer_type (type_identifier) @type_parameter)
`;

export const typescript: Language = {
  name: "typescript",
  family: "ecmascript",
  grammar: { package: "tree-sitter-typescript", file: "tree-sitter-typescript.wasm" },
  // The grammar without JSX rejects JSX node types in a query.
  query: QUERY + ECMASCRIPT_QUERY.replaceAll(/^\(jsx.*\n/gm, ""),
  nodes: ECMASCRIPT_NODES,
  prepareText: separateSignatures,
  repairText: (text) => withoutNewerSyntax(separateSignatures(text)),
  readImport: readEcmascriptImport,
  typeChecks,
  assertedChecks,
  guardIn,
  readVerdict,
  libraryCall,
  lambdaParameter: reactParameter,
  libraryObject,
  readExport: readEcmascriptExport,
  isExported: isEcmascriptExported,
};

export const tsx: Language = {
  ...typescript,
  name: "tsx",
  grammar: { package: "tree-sitter-typescript", file: "tree-sitter-tsx.wasm" },
  query: QUERY + ECMASCRIPT_QUERY,
  // JSX begins lines with the same bracket.
  prepareText: undefined,
  repairText: withoutNewerSyntax,
};
