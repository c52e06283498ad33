/** JavaScript. */

import type { Language } from "../language.ts";
import { instanceofChecks } from "../type_checks.ts";
import {
  ECMASCRIPT_NODES,
  ECMASCRIPT_QUERY,
  isEcmascriptExported,
  readEcmascriptExport,
  readEcmascriptImport,
} from "./ecmascript.ts";
import { libraryCall, libraryObject } from "./library_calls.ts";
import { withoutNewerSyntax } from "./newer_syntax.ts";

export const javascript: Language = {
  name: "javascript",
  family: "ecmascript",
  grammar: { package: "tree-sitter-javascript", file: "tree-sitter-javascript.wasm" },
  query: `${ECMASCRIPT_QUERY}
(field_definition property: (_) @name) @property
(formal_parameters [(identifier) (object_pattern) (array_pattern) (assignment_pattern) (rest_pattern)] @name) @parameters
(class_heritage (_) @extends)
`,
  nodes: ECMASCRIPT_NODES,
  repairText: withoutNewerSyntax,
  readImport: readEcmascriptImport,
  typeChecks: instanceofChecks,
  libraryCall,
  libraryObject,
  readExport: readEcmascriptExport,
  isExported: isEcmascriptExported,
};
