/** Python: results of functions of its own library that return what they are given, or its elements. */
import { type Expression, listOf, TAG, tupleOf } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { ValueReaders } from "../language.ts";

const SAME = /^(?:list|tuple|set|frozenset|sorted|reversed|iter|aiter|deque|dict|(?:copy\.)?(?:copy|deepcopy))$/;
const ONE = /^(?:next|anext|min|max)$/;
const CAST = /^(?:\w+\.)?cast$/;
const FIELD = /^(?:attr\.ib|(?:attrs?\.|dataclasses\.)?field|attrib)$/;
const MAX_CALLEE_CHARS = 40;

/** Undefined for other functions; the project may define a function of the same name. */
export function libraryCall(call: Node, { value, type }: ValueReaders): Expression | undefined {
  const callee = call.childForFieldName("function");
  if (!callee || callee.endIndex - callee.startIndex > MAX_CALLEE_CHARS) return undefined;
  const name = callee.text;
  const given = (call.childForFieldName("arguments")?.namedChildren ?? []).filter(
    (each) => each.type !== "keyword_argument",
  );
  const [first, second] = given;
  if (FIELD.test(name)) return madeField(call, value);
  if (!first) return undefined;
  if (CAST.test(name)) return second && type(first);
  if (SAME.test(name)) return value(first);
  if (name === "filter") return second && value(second);
  if (ONE.test(name)) return given.length === 1 || name === "next" ? elementOf(value(first)) : value(first);
  if (name === "enumerate") return listOf(tupleOf([null, elementOf(value(first)) ?? null]));
  if (name === "zip") return listOf(tupleOf(given.map((each) => elementOf(value(each)) ?? null)));
  return undefined;
}

/** `attr.ib(factory=list)`: the field of an instance is made by the factory. */
function madeField(call: Node, value: ValueReaders["value"]): Expression | undefined {
  const named = call.childForFieldName("arguments")?.namedChildren ?? [];
  const factory = named.find((each) => /^(?:default_)?factory$/.test(each.childForFieldName("name")?.text ?? ""));
  const made = factory?.childForFieldName("value");
  const of = made && value(made);
  return of ? [TAG.call, of] : undefined;
}

function elementOf(whole: Expression | undefined): Expression | undefined {
  return whole && [TAG.element, whole];
}
