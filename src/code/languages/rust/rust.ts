/** Rust: query, node types and imports. */

import { MODULE_FILE } from "../../modules/rust.ts";
import type { Node } from "../../syntax/tree.ts";
import type { ImportReader, Language } from "../language.ts";
import { NO_NODES } from "../node_types.ts";
import { closureTypes, makingClosure, makingFunction, passedOn, selfArgument, zipped } from "./calls.ts";
import { exposeItems, exposeLists } from "./macros.ts";
import { readRustPath, readRustTokens } from "./paths.ts";
import { readRustPattern } from "./patterns.ts";
import { endOfRules, exposeRules } from "./rules.ts";
import { openType, readRustType } from "./types.ts";

const QUERY = `
(function_item name: (_) @name) @function
(function_signature_item name: (_) @name) @function
(struct_item name: (_) @name) @class
(enum_item name: (_) @name) @class
(union_item name: (_) @name) @class
(trait_item name: (_) @name) @interface
(impl_item type: [(type_identifier) (metavariable)] @name) @extension
(impl_item type: (generic_type type: (type_identifier) @name)) @extension
(impl_item type: [(scoped_type_identifier) @name (generic_type type: (scoped_type_identifier) @name)]) @extension
(impl_item type: (reference_type type: [(type_identifier) @name (generic_type type: (type_identifier) @name)])) @extension
(impl_item trait: [(type_identifier) (generic_type) (scoped_type_identifier)] @implements)
(trait_item bounds: (trait_bounds [(type_identifier) (generic_type) (scoped_type_identifier)] @extends))
(type_item name: (_) @name) @type
(associated_type name: (_) @name) @type
(mod_item name: (_) @name body: (_)) @module
(mod_item name: (_) @name !body) @import
(macro_definition name: (_) @name) @function
(const_item name: (_) @name) @variable
(static_item name: (_) @name) @variable
(let_declaration pattern: (_) @name) @variable
(field_declaration name: (_) @name) @property
(ordered_field_declaration_list type: (_) @position)
(enum_variant name: (_) @variant)
(parameter pattern: (_) @name) @parameter
(closure_parameters [
  (identifier) (tuple_pattern) (reference_pattern) (ref_pattern) (mut_pattern) (tuple_struct_pattern) (struct_pattern)
] @name) @parameters
(match_arm pattern: (_) @name) @matched
(let_condition pattern: (_) @name) @variable
(for_expression pattern: (_) @name value: (_) @of) @loop
[(block) (closure_expression) (match_arm) (if_expression) (while_expression)] @scope
(use_declaration) @import
(call_expression function: (_) @callee) @call
(token_tree [(identifier) (primitive_type)] @callee . (token_tree)) @token_call
(token_tree (identifier) @callee . "::" . "<") @token_call
(return_expression (_) @value) @return
[(line_comment) (block_comment)] @comment
[(identifier) (type_identifier)] @use
[(scoped_identifier name: (_) @key) (scoped_type_identifier name: (_) @key)]
[(scoped_identifier path: (identifier)) (scoped_type_identifier path: (identifier))] @use_member
(type_parameter name: (_) @type_parameter)
(where_predicate left: (type_identifier) @type_parameter)
`;

/** `use a::{b, c as d}` is several imports, each with the path up to its last name as source. */
function readImport(node: Node, imports: ImportReader): void {
  if (node.type === "mod_item") {
    const name = node.childForFieldName("name")?.text;
    if (name !== undefined) imports.add({ source: moduleSource(node), name }, name, node);
    return;
  }
  const argument = node.childForFieldName("argument");
  if (argument) readUse(argument, "", imports, 0);
}

/** `mod x;` names a file; an attribute may give its path. */
function moduleSource(node: Node): string {
  const attribute = node.previousNamedSibling?.type === "attribute_item" ? node.previousNamedSibling.text : "";
  const path = /^#\[path\s*=\s*"([^"]+)"\]$/.exec(attribute)?.[1];
  return path === undefined ? MODULE_FILE : `${MODULE_FILE}:${path}`;
}

function readUse(node: Node, before: string, imports: ImportReader, depth: number): void {
  if (depth > 16) return;
  const path = (text: string): string => (before === "" ? text : `${before}::${text}`);
  if (node.type === "use_list") {
    for (const each of node.namedChildren) if (each) readUse(each, before, imports, depth + 1);
  } else if (node.type === "scoped_use_list") {
    const list = node.childForFieldName("list");
    if (list) readUse(list, path(node.childForFieldName("path")?.text ?? ""), imports, depth + 1);
  } else if (node.type === "use_wildcard") {
    imports.add({ source: path(node.namedChildren[0]?.text ?? ""), name: "*", star: true }, undefined, node);
  } else {
    const whole = path(
      (node.childForFieldName("path") && node.type === "use_as_clause"
        ? node.childForFieldName("path")?.text
        : node.text) ?? "",
    );
    const cut = whole.lastIndexOf("::");
    const name = cut < 0 ? whole : whole.slice(cut + 2);
    const alias = node.type === "use_as_clause" ? node.childForFieldName("alias")?.text : undefined;
    const own = name === "self" ? whole.slice(0, cut) : whole;
    const end = own.lastIndexOf("::");
    const last = end < 0 ? own : own.slice(end + 2);
    imports.add({ source: end < 0 ? "" : own.slice(0, end), name: last }, alias ?? last, node);
  }
}

/** The type behind another name; for a type that an implementation chooses, the trait that it must have. */
function readValue(node: Node): Node | null {
  if (node.type === "type_item") return node.childForFieldName("type");
  const bounds = node.type === "associated_type" ? node.childForFieldName("bounds") : null;
  return bounds?.namedChildren.find(({ type }) => /type/.test(type)) ?? null;
}

const WRAPPED = /^(?:&|'\w+|mut\b|\s|(?:\w+::)*(?:Result|Option|Box|Rc|Arc|Cow|Ref|RefMut|Pin)<)*(\w+)\s*(?:[,>]|$)/;

function readGeneric(node: Node): number | undefined {
  const name = WRAPPED.exec(node.childForFieldName("return_type")?.text ?? "")?.[1];
  if (name === undefined) return undefined;
  const own = parametersOf(node).indexOf(name);
  if (own >= 0) return own;
  const trait = node.parent?.parent;
  return trait?.type === "trait_item" && parametersOf(trait).includes(name) ? -1 : undefined;
}

function parametersOf(node: Node): (string | undefined)[] {
  const list = node.childForFieldName("type_parameters")?.namedChildren ?? [];
  return list.filter(({ type }) => type !== "lifetime").map((each) => (each.childForFieldName("name") ?? each).text);
}

export const rust: Language = {
  name: "rust",
  family: "rust",
  grammar: { package: "tree-sitter-rust", file: "tree-sitter-rust.wasm" },
  query: QUERY,
  bindsLate: true,
  nodes: {
    ...NO_NODES,
    names: new Set(["identifier", "type_identifier", "field_identifier"]),
    self: new Set(["self"]),
    members: {
      field_expression: ["value", "field"],
      scoped_identifier: ["path", "name"],
      scoped_type_identifier: ["path", "name"],
    },
    calls: { call_expression: "function" },
    news: { struct_expression: "name" },
    awaits: new Set(["await_expression"]),
    around: new Set([
      "parenthesized_expression",
      "reference_expression",
      "try_expression",
      "unary_expression",
      "generic_function",
      "else_clause",
    ]),
    blocks: new Set(["block"]),
    elements: { index_expression: "" },
    functions: new Set(["closure_expression"]),
    types: {
      ...NO_NODES.types,
      generic: new Set(["generic_type"]),
      array: new Set(["array_type"]),
      around: new Set(["reference_type", "pointer_type", "dynamic_type", "abstract_type"]),
      nested: { scoped_type_identifier: ["path", "name"] },
    },
    patterns: {
      ...NO_NODES.patterns,
      array: new Set(["tuple_pattern", "slice_pattern"]),
      shorthand: new Set(["shorthand_field_identifier"]),
    },
    fields: { body: ["body"], returns: ["return_type"], type: "type", value: ["value"] },
  },
  prepareText: (text) => exposeRules(exposeItems(exposeLists(text))),
  endOf: (text, node) => (node.type === "macro_definition" ? endOfRules(text, node.startIndex) : undefined),
  readImport,
  readValue,
  wrapperTypes: new Set(["Box", "Rc", "Arc", "Pin", "Cow", "Ref", "RefMut", "MutexGuard"]),
  callForms: { passedOn, makingClosure, makingFunction, closureTypes, selfArgument },
  libraryCall: zipped,
  readType: readRustType,
  openType,
  readPath: readRustPath,
  readPattern: readRustPattern,
  readTokens: readRustTokens,
  readGeneric,
  selfType: "Self",
  isExported: (node) => node.namedChildren.some((child) => child?.type === "visibility_modifier"),
  isTest: (node) =>
    /\btest\b/.test(node.previousNamedSibling?.type === "attribute_item" ? node.previousNamedSibling.text : ""),
};
