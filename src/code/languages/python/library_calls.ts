/** Python: results of functions of its own library that return what they are given, or its elements. */
import { type Expression, listOf, TAG, tupleOf } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { ValueReaders } from "../language.ts";

const SAME =
  /^(?:list|tuple|set|frozenset|sorted|reversed|iter|aiter|(?:collections\.)?deque|dict|(?:copy\.)?(?:copy|deepcopy)|(?:itertools\.)?(?:islice|cycle|chain)|(?:dataclasses\.)?replace)$/;
const ONE = /^(?:next|anext|min|max|(?:random\.)?choice)$/;
const CAST = /^(?:\w+\.)?cast$/;
const FIELD = /^(?:attr\.ib|(?:attrs?\.|dataclasses\.)?field|attrib)$/;
/** Functions that return their second argument, or its elements. */
const SECOND = /^(?:filter|(?:itertools\.)?(?:takewhile|dropwhile|filterfalse)|heapq\.n(?:smallest|largest))$/;
const FLATTENED = /^(?:itertools\.)?chain\.from_iterable$/;
const GROUPED = /^(?:itertools\.)?groupby$/;
/** Calls that return the coroutine they get. */
const AWAITED =
  /^(?:asyncio\.(?:run|shield|wait_for|ensure_future|create_task)|(?:\w+\.){1,3}(?:create_task|run_until_complete)|create_task|ensure_future|wait_for)$/;
const GATHERED = /^(?:asyncio\.)?gather$/;
const PARTIAL = /^(?:functools\.)?partial$/;
/** Functions that call a given function in another thread. */
const THREADED = /^(?:asyncio\.)?to_thread$/;
const MAPPED = /^(?:map|\w+\.map)$/;
const MAX_CALLEE_CHARS = 40;

/** Undefined for other functions; the project may define a function of the same name. */
export function libraryCall(call: Node, { value, type, called }: ValueReaders): Expression | undefined {
  const callee = call.childForFieldName("function");
  if (!callee || callee.endIndex - callee.startIndex > MAX_CALLEE_CHARS) return undefined;
  const name = callee.text;
  const all = call.childForFieldName("arguments");
  const given = (all?.namedChildren ?? []).filter((each) => each.type !== "keyword_argument");
  const [first, second] = given;
  if (FIELD.test(name)) return madeField(call, value);
  if (all?.type === "generator_expression") return SAME.test(name) ? value(all) : oneOf(name, all, value);
  if (!first) return undefined;
  if (CAST.test(name)) return second && type(first);
  if (name === "type" && !second) return classOf(value(first));
  if (SAME.test(name) || AWAITED.test(name)) return value(first);
  if (SECOND.test(name)) return second && value(second);
  if (ONE.test(name)) return given.length === 1 || name === "next" ? elementOf(value(first)) : value(first);
  if (name === "enumerate") return listOf(tupleOf([null, elementOf(value(first)) ?? null]));
  if (name === "zip") return listOf(tupleOf(given.map((each) => elementOf(value(each)) ?? null)));
  if (FLATTENED.test(name)) return elementOf(value(first));
  if (GROUPED.test(name)) return listOf(tupleOf([null, value(first) ?? null]));
  if (GATHERED.test(name)) return gathered(given, value);
  if (PARTIAL.test(name)) return [TAG.functionType, [], called(first) ?? null, null];
  if (THREADED.test(name)) return called(first);
  return second && MAPPED.test(name) ? listOf(called(first) ?? null) : undefined;
}

function oneOf(name: string, all: Node, value: ValueReaders["value"]): Expression | undefined {
  return ONE.test(name) ? elementOf(value(all)) : undefined;
}

/** `gather(*jobs)` is a list of their results, `gather(a, b)` each of them. */
function gathered(given: readonly Node[], value: ValueReaders["value"]): Expression | undefined {
  const [first] = given;
  const several = first?.type === "list_splat" ? first.namedChildren[0] : undefined;
  if (several) return value(several);
  return tupleOf(given.map((each) => value(each) ?? null));
}

/** `attr.ib(factory=list)`: the field of an instance is made by the factory. */
function madeField(call: Node, value: ValueReaders["value"]): Expression | undefined {
  const named = call.childForFieldName("arguments")?.namedChildren ?? [];
  const factory = named.find((each) => /^(?:default_)?factory$/.test(each.childForFieldName("name")?.text ?? ""));
  const made = factory?.childForFieldName("value");
  const of = made && value(made);
  return of ? [TAG.call, of] : undefined;
}

function classOf(value: Expression | undefined): Expression | undefined {
  return value && [TAG.member, value, "__class__"];
}

function elementOf(whole: Expression | undefined): Expression | undefined {
  return whole && [TAG.element, whole];
}
