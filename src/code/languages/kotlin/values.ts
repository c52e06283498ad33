/** Kotlin: types, calls of its own library, and conditions that check a type. */
import { type Expression, listOf, TAG } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { TypeCheck, ValueReaders } from "../language.ts";
import { partsOf } from "../type_checks.ts";
import { lambdaOf, statedType, TYPE } from "./nodes.ts";

const MAX_ARGUMENTS = 4;
/** Functions whose result holds their argument, or is their argument. */
const HOLDS_ARGUMENT =
  /^(?:mutable|array)?(?:listOf|setOf|ListOf|SetOf)(?:NotNull)?$|^(?:arrayOf|sequenceOf|flowOf|mutableStateOf|MutableStateFlow|lazyOf)$/;
const IS_ARGUMENT = /^(?:requireNotNull|checkNotNull|remember)$/;
/** Methods whose result a function makes. */
const MADE_BY_FUNCTION = /^(?:map|mapNotNull|mapIndexed|flatMap|let|run|with)$/;

/** `Map<String, Item?>`, `Shape.Circle`, `(Item) -> Unit`. */
export function readKotlinType(node: Node, read: (part: Node) => Expression | undefined): Expression | undefined {
  if (node.type === "function_type") {
    const result = node.namedChildren.at(-1);
    return [TAG.functionType, [], (result && read(result)) ?? null, null];
  }
  if (node.type === "type_projection" || node.type === "parenthesized_type") {
    const last = node.namedChildren.at(-1);
    return last && read(last);
  }
  if (node.type !== "user_type") return undefined;
  const [first, ...rest] = node.namedChildren.filter(({ type }) => type === "identifier");
  const named = first && read(first);
  if (named?.[0] !== TAG.ofType) return named;
  const head = rest.reduce<Expression>((of, { text }) => [TAG.member, of, text], named[1]);
  const list = node.namedChildren.find(({ type }) => type === "type_arguments")?.namedChildren ?? [];
  return [TAG.ofType, head, list.slice(0, MAX_ARGUMENTS).map((each) => read(each) ?? null)];
}

function calleeName(call: Node): string {
  const callee = call.namedChildren[0];
  return (callee?.type === "navigation_expression" ? callee.namedChildren.at(-1)?.text : callee?.text) ?? "";
}

function firstArgument(call: Node): Node | undefined {
  const list = call.namedChildren.find(({ type }) => type === "value_arguments");
  return list?.namedChildren[0]?.namedChildren.at(-1);
}

export function libraryResult(call: Node, { value }: ValueReaders): Expression | undefined {
  const callee = call.namedChildren[0];
  const first = firstArgument(call);
  if (callee?.type === "call_expression" && lambdaOf(call)) return value(callee);
  if (callee?.type !== "identifier" || !first) return undefined;
  if (IS_ARGUMENT.test(callee.text)) return value(first);
  const held = HOLDS_ARGUMENT.test(callee.text) ? value(first) : undefined;
  return held && listOf(held);
}

/** The lambda or reference whose result is that of the call, if the call is one of the library. */
export function makingFunction(call: Node): Node | undefined {
  if (!MADE_BY_FUNCTION.test(calleeName(call))) return undefined;
  const first = firstArgument(call);
  const isReference = first?.type === "navigation_expression" && first.children.some(({ type }) => type === "::");
  return lambdaOf(call) ?? (isReference ? first : undefined);
}

/** The types of what a function passes to the functions that it is given, by their position. */
export function closureTypes(fn: Node): Record<number, Node[]> | undefined {
  const list = fn.namedChildren.find(({ type }) => type === "function_value_parameters");
  const found: Record<number, Node[]> = {};
  const parameters = list?.namedChildren.filter(({ type }) => type === "parameter") ?? [];
  for (const [at, parameter] of parameters.entries()) {
    const type = statedType(parameter);
    if (type?.type !== "function_type") continue;
    const taken = type.namedChildren.find((each) => each.type === "function_type_parameters");
    found[at] = taken?.namedChildren.filter((each) => TYPE.test(each.type)) ?? [];
  }
  return Object.keys(found).length > 0 ? found : undefined;
}

/** `x is Item && …`, and `is Item` in a `when (x)`. */
export function typeChecks(condition: Node): TypeCheck[] {
  if (condition.type === "type_test") {
    const subject = condition.parent?.parent?.namedChildren[0];
    const [of] = subject?.type === "when_subject" ? subject.namedChildren : [];
    const name = of?.type === "variable_declaration" ? of.namedChildren[0] : of;
    const [type] = condition.namedChildren;
    return name && type && !/^!/.test(condition.text) ? [{ of: name, types: [type] }] : [];
  }
  return partsOf(condition).flatMap((node) => {
    const [of, type] = ["left", "right"].map((field) => node.childForFieldName(field));
    const isCheck = node.type === "is_expression" && node.children.some((each) => each.type === "is");
    return isCheck && of && type ? [{ of, types: [type] }] : [];
  });
}
