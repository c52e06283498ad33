/** Kotlin: parts of nodes for which its grammar has no fields: stated types, values, and the functions that a call is given. */
import type { Node } from "../../syntax/tree.ts";

export const TYPE = /^(user_type|nullable_type|function_type|parenthesized_type)$/;
const NO_VALUE =
  /^(modifiers|variable_declaration|multi_variable_declaration|type_parameters|type_constraints|setter)$/;

/** The type of a parameter, a property or a variable. */
export function statedType(node: Node): Node | null {
  const of = node.type === "property_declaration" ? node.namedChildren.find(isDeclared) : node;
  return of?.namedChildren.find(({ type }) => TYPE.test(type)) ?? null;
}

function isDeclared({ type }: Node): boolean {
  return type === "variable_declaration";
}

/** The type after the parameters of a function. */
export function statedResult(fn: Node): Node | null {
  const after = fn.namedChildren.findIndex(({ type }) => type === "function_value_parameters");
  const next = after < 0 ? undefined : fn.namedChildren[after + 1];
  return next && TYPE.test(next.type) ? next : null;
}

/** The type before the name of an extension function. */
export function extendedType(fn: Node): Node | null {
  if (fn.type !== "function_declaration") return null;
  const name = fn.childForFieldName("name");
  const before = fn.namedChildren.findIndex(({ id }) => id === name?.id) - 1;
  const type = fn.namedChildren[before];
  return type && TYPE.test(type.type) ? type : null;
}

/** The value of a property or variable: what it is set to, what its getter returns, or what `lazy` makes. */
export function readValue(node: Node): Node | null {
  if (node.type === "type_alias") return node.namedChildren.at(-1) ?? null;
  const value = node.namedChildren.find(({ type }) => !NO_VALUE.test(type) && !TYPE.test(type));
  if (node.type !== "property_declaration" || !value) return null;
  if (value.type === "getter") return expressionOf(value.namedChildren.at(-1));
  if (value.type !== "property_delegate") return value;
  const call = value.namedChildren[0];
  const lambda = call && call.namedChildren[0]?.text === "lazy" ? lambdaOf(call) : undefined;
  return lambda?.namedChildren.at(-1) ?? null;
}

/** `fun f() = x`: the expression of a body without braces. */
export function expressionOf(body: Node | null | undefined): Node | null {
  const only = body?.type === "function_body" ? body.namedChildren[0] : undefined;
  return only && only.type !== "block" ? only : null;
}

/** The lambda behind a call. */
export function lambdaOf(call: Node): Node | undefined {
  const last = call.namedChildren.at(-1);
  return last?.type === "annotated_lambda" ? last.namedChildren.at(-1) : undefined;
}

/** The call that a lambda is given to; `list.fold(0) { … }` is a call with a lambda behind another one. */
export function callOf(lambda: Node): Node | undefined {
  const holder = lambda.parent;
  const call = holder?.type === "annotated_lambda" ? holder.parent : holder?.parent?.parent;
  if (call?.type !== "call_expression") return undefined;
  const first = call.namedChildren[0];
  return first?.type === "call_expression" && holder?.type === "annotated_lambda" ? first : call;
}
