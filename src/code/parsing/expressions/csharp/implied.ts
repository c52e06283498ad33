/**
 * C#: names whose type only the context determines: `out var x`, the parts of a pattern (`is { Item: var x }`), the
 * parts of a tuple, and the parameters of a function where a delegate is expected.
 */
import { type Expression, type Given, TAG, WRITTEN } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Scope } from "../scopes.ts";
import { argumentsOf } from "./given.ts";

/** Patterns inside patterns. */
const MAX_DEPTH = 6;
/** Have the value of the pattern around them. */
const SAME_VALUE = /^(?:parenthesized|negated|and|or)_pattern$/;

interface ValueReader {
  value(node: Node, scope: Scope, depth?: number): Expression | undefined;
  type(node: Node, scope: Scope): Expression | undefined;
  given(call: Node, callee: Expression, scope: Scope): Given | undefined;
}

/** The value of a name that is declared without a type, or with `var`; undefined for all others. */
export function impliedValue(reader: ValueReader, node: Node, scope: Scope): Expression | undefined {
  if (node.type === "declaration_expression") return declared(reader, node, scope);
  if (node.type === "recursive_pattern" || node.type === "declaration_pattern" || node.type === "var_pattern")
    return matched(reader, node, scope, 0);
  return undefined;
}

function declared(reader: ValueReader, node: Node, scope: Scope): Expression | undefined {
  const argument = node.parent;
  const list = argument?.type === "argument" ? argument.parent : undefined;
  const around = list?.parent;
  if (!argument || !list || !around) return undefined;
  if (list.type === "tuple_expression") {
    const right = around.type === "assignment_expression" ? around.childForFieldName("right") : null;
    const whole = right && reader.value(right, scope);
    const at = list.namedChildren.findIndex(({ id }) => id === argument.id);
    return whole ? [TAG.elementAt, whole, at] : undefined;
  }
  const callee = around.childForFieldName("function") ?? around.childForFieldName("type");
  const of = callee && reader.value(callee, scope);
  const at = argumentsOf(around).findIndex(({ id }) => id === argument.id);
  if (!of || at < 0) return undefined;
  const given = reader.given(around, of, scope);
  return given ? [TAG.callbackParameter, of, at, WRITTEN, given] : [TAG.callbackParameter, of, at, WRITTEN];
}

/** The value that a pattern is compared with. */
function matched(reader: ValueReader, pattern: Node, scope: Scope, depth: number): Expression | undefined {
  const { parent } = pattern;
  if (!parent || depth > MAX_DEPTH) return undefined;
  if (SAME_VALUE.test(parent.type)) return matched(reader, parent, scope, depth + 1);
  if (parent.type === "subpattern") return part(reader, parent, pattern, scope, depth);
  const whole =
    parent.type === "is_pattern_expression"
      ? parent.childForFieldName("expression")
      : parent.type === "switch_expression_arm"
        ? parent.parent?.namedChildren[0]
        : parent.type === "switch_section"
          ? parent.parent?.parent?.childForFieldName("value")
          : undefined;
  return whole ? reader.value(whole, scope) : undefined;
}

/** A member or a position of the pattern around it. */
function part(
  reader: ValueReader,
  subpattern: Node,
  pattern: Node,
  scope: Scope,
  depth: number,
): Expression | undefined {
  const clause = subpattern.parent;
  const outer = clause?.parent;
  if (!outer) return undefined;
  const type = outer.childForFieldName("type");
  const whole = type ? reader.type(type, scope) : matched(reader, outer, scope, depth + 1);
  if (!whole) return undefined;
  const [name] = subpattern.namedChildren;
  if (clause.type === "positional_pattern_clause")
    return [TAG.elementAt, whole, clause.namedChildren.findIndex(({ id }) => id === subpattern.id)];
  // `{ Item.Rec: var x }` is read by its names.
  return !name || name.id === pattern.id
    ? undefined
    : name.text.split(".").reduce<Expression>((of, each) => [TAG.member, of, each], whole);
}

/** The delegate type that a variable, a field or an event expects of the function that is assigned to it. */
export function expectedDelegate(reader: ValueReader, fn: Node, scope: Scope): Expression | undefined {
  const { parent } = fn;
  if (parent?.type === "variable_declarator") {
    const type = parent.parent?.childForFieldName("type");
    return type && type.type !== "implicit_type" ? reader.type(type, scope) : undefined;
  }
  if (parent?.type === "property_declaration" || parent?.type === "arrow_expression_clause") {
    const declaration = parent.type === "property_declaration" ? parent : parent.parent;
    const type = declaration?.childForFieldName("returns") ?? declaration?.childForFieldName("type");
    return type ? reader.type(type, scope) : undefined;
  }
  if (parent?.type === "cast_expression") {
    const type = parent.childForFieldName("type");
    return type ? reader.type(type, scope) : undefined;
  }
  if (parent?.type !== "assignment_expression") return undefined;
  const left = parent.childForFieldName("left");
  if (!left || left.id === fn.id) return undefined;
  // `new Options { OnDone = r => … }` sets a member of what is made.
  const list = parent.parent;
  const made = list?.type === "initializer_expression" ? list.parent : undefined;
  const of =
    made?.type === "object_creation_expression" && left.type === "identifier" ? reader.value(made, scope) : undefined;
  return of ? [TAG.member, of, left.text] : reader.value(left, scope);
}
