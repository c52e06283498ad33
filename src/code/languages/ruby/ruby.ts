/** Ruby: query, node types and imports. */
import type { Node } from "../../syntax/tree.ts";
import type { ImportReader, Language } from "../language.ts";
import { NO_NODES } from "../node_types.ts";
import { baseOfNew } from "./calls.ts";
import { rubyTypeChecks } from "./type_checks.ts";
import { readRubyForm, readRubyPattern, rubyLibraryCall } from "./values.ts";

/** Statements that leave the block. */
const LEAVING = "(return) (next) (break)";

const QUERY = `
(class name: (_) @name) @class
(module name: (_) @name) @module
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(operator_assignment left: (instance_variable) @name) @variable
(call method: (identifier) @required arguments: (argument_list (simple_symbol) @name)
  (#match? @required "^([cm]?attr_(reader|writer|accessor)|attr|class_attribute)$")) @reader
(assignment left: (constant) @name right: (call receiver: (constant) @required method: (identifier) arguments: (_))
  (#match? @required "^(Struct|Data|Class|Module)$")) @class
(assignment left: (constant) right: (call receiver: (constant) @required arguments: (argument_list (simple_symbol) @name))
  (#match? @required "^(Struct|Data)$")) @reader
(assignment left: (constant)
  right: (call receiver: (constant) @required arguments: (argument_list . [(constant) (scope_resolution)] @extends))
  (#match? @required "^Class$"))
(superclass (call receiver: (constant) @required arguments: (argument_list (simple_symbol) @name))
  (#match? @required "^(Struct|Data)$")) @reader
(call method: (identifier) @required arguments: (argument_list . (simple_symbol) @name)
  (#match? @required "^define_(singleton_)?method$")) @function
(call !receiver method: (identifier) @required arguments: (argument_list . (simple_symbol))
  (#match? @required "^(def_(instance_)?delegators?|delegate)$")) @delegated
(alias name: (_) @name alias: (_) @of) @second_name
(call method: (identifier) @required arguments: (argument_list . (simple_symbol) @name . (simple_symbol) @of)
  (#match? @required "^alias_method$")) @second_name
(yield (argument_list) @of) @yield
(call method: (identifier) @required block: (_) (#match? @required "^(let|subject)!?$")) @given
(assignment left: [(constant) (identifier) (instance_variable) (left_assignment_list)] @name) @variable
(for pattern: [(identifier) (left_assignment_list)] @name value: (in (_) @of)) @loop
(block_parameters (destructured_parameter) @name) @parameters
(assignment left: (call receiver: (self) !arguments) @name) @assign
(binary left: [(identifier) (instance_variable)] @of operator: "<<") @filled
(call receiver: [(identifier) (instance_variable)] @of method: (identifier) @required arguments: (argument_list . (_))
  (#match? @required "^(push|append|add|unshift|prepend|enq)$")) @filled
[(assignment left: (element_reference object: [(identifier) (instance_variable)] @of))
 (operator_assignment left: (element_reference object: [(identifier) (instance_variable)] @of))] @filled
(rescue exceptions: (exceptions . [(constant) (scope_resolution)] @of) variable: (exception_variable)) @case
(case_match value: (_) @of clauses: (in_clause) @case)
(when) @of @checked
(if condition: (_) @of consequence: (then) @checked)
(elsif condition: (_) @of consequence: (then) @checked)
(unless condition: (_) @of alternative: (else) @checked)
(if_modifier body: (_) @checked condition: (_) @of)
(conditional condition: (_) @of consequence: (_) @checked)
(binary left: (_) @of operator: ["&&" "and"] right: (_) @checked)
(unless_modifier body: [${LEAVING}] condition: (_) @ensured)
(if_modifier body: [${LEAVING}] condition: (unary operand: (_) @ensured))
(unless_modifier body: (call !receiver method: (identifier) @required) condition: (_) @ensured (#match? @required "^raise$"))
(if_modifier body: (call !receiver method: (identifier) @required) condition: (unary operand: (_) @ensured) (#match? @required "^raise$"))
(method_parameters (identifier) @name) @parameters
(block_parameters (identifier) @name) @parameters
(lambda_parameters (identifier) @name) @parameters
[(optional_parameter name: (_) @name) (keyword_parameter name: (_) @name) (splat_parameter name: (_) @name)
 (hash_splat_parameter name: (_) @name) (block_parameter name: (_) @name) (exception_variable (identifier) @name)] @hidden
[(block) (do_block) (lambda)] @scope
(superclass (_) @extends)
(call method: (identifier) @required arguments: (argument_list . (string)) (#match? @required "^require(_relative)?$")) @import
(call method: (identifier) @required arguments: (argument_list [(constant) (scope_resolution)] @extends)
  (#match? @required "^(include|extend|prepend)$"))
(call method: (_) @callee) @call
(super) @callee @call
[(body_statement (identifier) @callee) (operator_assignment right: (identifier) @callee) (assignment right: (identifier) @callee) (call receiver: (identifier) @callee)
 (argument_list (identifier) @callee) (return (argument_list (identifier) @callee)) (binary (identifier) @callee)
 (pair value: (identifier) @callee) (if condition: (identifier) @callee) (unless condition: (identifier) @callee)
 (if_modifier condition: (identifier) @callee) (unless_modifier condition: (identifier) @callee)
 (conditional (identifier) @callee) (unary (identifier) @callee) (interpolation (identifier) @callee)
 (array (identifier) @callee) (then (identifier) @callee) (else (identifier) @callee) (block_body (identifier) @callee)
 (parenthesized_statements (identifier) @callee) (element_reference (identifier) @callee) (do (identifier) @callee)
 (if_modifier body: (identifier) @callee) (unless_modifier body: (identifier) @callee)
 (while_modifier (identifier) @callee) (until_modifier (identifier) @callee) (rescue_modifier (identifier) @callee)
 (while condition: (identifier) @callee) (until condition: (identifier) @callee) (elsif condition: (identifier) @callee)
 (case value: (identifier) @callee) (pattern (identifier) @callee) (begin (identifier) @callee)
 (ensure (identifier) @callee) (range (identifier) @callee) (splat_argument (identifier) @callee)
 (block_argument (identifier) @callee) (right_assignment_list (identifier) @callee)] @bare_call
(comment) @comment
(constant) @use
(scope_resolution scope: (_) name: (constant) @key)
(scope_resolution scope: (constant)) @use_member
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
    // `class << self` belongs to the class around it, as do conditions and calls such as `private def x`.
    bodies: new Set("body_statement singleton_class if unless then elsif else begin call argument_list".split(" ")),
    blocks: new Set(["body_statement", "then", "else", "block_body", "begin", "parenthesized_statements"]),
    fields: { body: ["body"], returns: [], type: "type", value: ["right", "value"] },
  },
  implicitSelf: true,
  returnsLast: true,
  visibleNames: /^\p{Lu}/u,
  instanceVariable: "instance_variable",
  readImport,
  typeChecks: rubyTypeChecks,
  readForm: readRubyForm,
  readPattern: readRubyPattern,
  libraryCall: rubyLibraryCall,
  callForms: { passedOn: baseOfNew, makingClosure: () => undefined, closureTypes: () => ({}) },
  isExported: () => true,
  // A test takes no arguments.
  isTest: (node, name, inTestFile) =>
    inTestFile && name.startsWith("test_") && node.childForFieldName("parameters") === null,
};
