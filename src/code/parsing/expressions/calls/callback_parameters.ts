/** Parameters of functions that are passed to a call: what the call passes to them. */
import { type Expression, type Given, TAG } from "../../../expression.ts";
import { receivesElement } from "../../../languages/element_methods.ts";
import { callOf } from "../../../languages/kotlin/nodes.ts";
import type { Language } from "../../../languages/language.ts";
import type { Node } from "../../../syntax/tree.ts";
import { blockParameter } from "../ruby/given.ts";
import type { Scope } from "../scopes.ts";
import type { ShapeReader } from "../types/shapes.ts";
import { calleeOf } from "./callees.ts";

interface CallReader {
  language: Language;
  shapes: ShapeReader | undefined;
  /** The arguments of a call, without functions whose parameters the call itself types. */
  given(call: Node, callee: Expression, scope: Scope): Given | undefined;
  value(node: Node, scope: Scope, depth?: number): Expression | undefined;
}

/** `expected`: the value of the parameter by the type that is expected of the function. */
export function callbackParameter(
  reader: CallReader,
  fn: Node,
  index: number,
  scope: Scope,
  expected: Expression | undefined,
): Expression | undefined {
  const { nodes, family, returnsLast } = reader.language;
  if (fn.type === "lambda_literal") return lambdaParameter(reader, fn, index, scope);
  const given = fn.parent?.type === "argument" ? fn.parent : fn;
  const list = given.parent;
  if (list && returnsLast) return ofBlock(reader, fn, list, index, scope);
  const call = list?.parent;
  if (!call || (list?.type !== "arguments" && list?.type !== "argument_list")) return expected;
  const field = nodes.calls[call.type] ?? nodes.news[call.type];
  if (field === undefined) return undefined;
  const target = typeof field === "string" ? call.childForFieldName(field) : call;
  const member = typeof field === "string" ? nodes.members[target?.type ?? ""] : field;
  if (!target) return undefined;
  const name = member ? (target.childForFieldName(member[1])?.text ?? "") : "";
  const compacted = reader.shapes && compact(expected, name, index);
  if (compacted) return compacted;
  if (member && family !== "rust" && family !== "jvm" && receivesElement(name, index)) {
    const element = elementOf(reader, target.childForFieldName(member[0]), scope);
    return element && expected ? [TAG.either, element, expected] : element;
  }
  if (reader.shapes) return undefined;
  const of = typeof field === "string" ? reader.value(target, scope) : calleeOf(reader, call, field, scope, 0);
  const argument = list.namedChildren.findIndex((each) => each?.id === given.id);
  if (!of || argument < 0) return undefined;
  const told = family === "python" || reader.language.parameterTypes ? reader.given(call, of, scope) : undefined;
  if (family === "python")
    return [TAG.contextParameter, told ? [TAG.argument, of, argument, told] : [TAG.argument, of, argument], index];
  return told ? [TAG.callbackParameter, of, argument, index, told] : [TAG.callbackParameter, of, argument, index];
}

/** Kotlin: a parameter of a lambda, which may follow the other arguments of its call. */
function lambdaParameter(reader: CallReader, lambda: Node, index: number, scope: Scope): Expression | undefined {
  const call = callOf(lambda);
  const callee = call?.namedChildren[0];
  const of = callee && reader.value(callee, scope);
  const list = call?.namedChildren.find(({ type }) => type === "value_arguments")?.namedChildren ?? [];
  const inList = list.findIndex((each) => each.namedChildren.at(-1)?.id === lambda.id);
  return of && [TAG.callbackParameter, of, inList < 0 ? list.length : inList, index];
}

/** Ruby: a parameter of the block that a call is given. */
function ofBlock(reader: CallReader, block: Node, call: Node, index: number, scope: Scope): Expression | undefined {
  const fields = reader.language.nodes.calls[call.type];
  const callee = typeof fields === "object" ? calleeOf(reader, call, fields, scope, 0) : undefined;
  return callee && blockParameter(block, callee, index, reader.given(call, callee, scope));
}

function elementOf(reader: CallReader, node: Node | null, scope: Scope): Expression | undefined {
  const whole = node && reader.value(node, scope, 1);
  return whole ? [TAG.element, whole] : undefined;
}

/** JavaScript: a list passes its elements on, and a promise what it gives, if the method is not one of the project. */
function compact(expected: Expression | undefined, method: string, index: number): Expression | undefined {
  if (expected?.[0] !== TAG.contextParameter || expected[1][0] !== TAG.argument) return expected;
  if (!receivesElement(method, index) && method !== "then") return expected;
  const [, callee, at, given] = expected[1];
  const passed: Expression = [TAG.callbackParameter, callee, at, index];
  return given ? [TAG.either, passed, expected] : passed;
}
