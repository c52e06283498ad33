/** PHP: results of functions of its own library that return what they are given, or its elements. */
import { EACH, type Expression, listOf, TAG } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { CallForms, ValueReaders } from "../language.ts";

const SAME =
  /^(?:array_(?:values|filter|reverse|merge|slice|unique|splice|diff|diff_key|intersect|intersect_key|replace|pad)|iterator_to_array)$/;
const ONE = /^(?:reset|current|end|next|prev|array_(?:shift|pop|find))$/;
/** Functions that call their first argument with an element of each list behind it; of the others, with one of the first. */
const FIRST = "array_map";
const SECOND = /^(?:array_(?:filter|walk|find|find_key|any|all)|(?:u|ua)sort)$/;
const COUNTS = /^\\?(?:count|sizeof)$/;
const MADE = /^(?:tryFrom|from)$/;

/** A call of `count` asks the object that it is given. */
export const callForms: CallForms = {
  passedOn: () => undefined,
  makingClosure: () => undefined,
  closureTypes: () => undefined,
  selfArgument: (call) => {
    const isCount =
      call.type === "function_call_expression" && COUNTS.test(call.childForFieldName("function")?.text ?? "");
    const [argument] = isCount ? givenTo(call) : [];
    return argument && { argument, method: "count" };
  },
};

/** Undefined for other functions; the project may define a function of the same name. */
export function libraryCall(call: Node, { value, called }: ValueReaders): Expression | undefined {
  if (call.type === "scoped_call_expression") return ofEnumeration(call, value);
  const name = call.type === "function_call_expression" ? call.childForFieldName("function")?.text : undefined;
  if (name === undefined) return undefined;
  const [first, second] = givenTo(call);
  if (!first) return undefined;
  if (SAME.test(name)) return value(first);
  if (ONE.test(name)) return elementOf(value(first));
  return name === FIRST && second ? listOf(called(first) ?? null) : undefined;
}

/** Undefined for other functions. */
export function lambdaParameter(fn: Node, index: number, { value }: ValueReaders): Expression | undefined {
  const call = fn.parent?.type === "argument" ? fn.parent.parent?.parent : undefined;
  const name = call?.type === "function_call_expression" ? call.childForFieldName("function")?.text : undefined;
  if (!call || name === undefined) return undefined;
  const given = givenTo(call);
  const at = given.findIndex(({ id }) => id === fn.id);
  const list = at === 0 && name === FIRST ? given[1 + index] : at === 1 && takesElement(name, index) ? given[0] : null;
  return list ? elementOf(value(list)) : undefined;
}

function takesElement(name: string, index: number): boolean {
  if (name === "array_reduce") return index === 1;
  return SECOND.test(name) && (index === 0 || name.endsWith("sort"));
}

/** `Color::from("red")`, `Color::cases()`. */
function ofEnumeration(call: Node, value: ValueReaders["value"]): Expression | undefined {
  const [scope, name] = [call.childForFieldName("scope"), call.childForFieldName("name")?.text ?? ""];
  if (!scope || !(MADE.test(name) || name === "cases")) return undefined;
  const of = value(scope);
  const made: Expression | undefined = of && [TAG.member, of, EACH];
  return made && name === "cases" ? listOf(made) : made;
}

/** The values of the arguments. */
function givenTo(call: Node): Node[] {
  return (call.childForFieldName("arguments")?.namedChildren ?? []).flatMap((each) =>
    each.type === "argument" ? (each.namedChildren.at(-1) ?? []) : [],
  );
}

function elementOf(whole: Expression | undefined): Expression | undefined {
  return whole && [TAG.element, whole];
}
