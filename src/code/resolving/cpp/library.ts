/** C++: types of the standard library that hold others. An iterator stands for its element, and a pointer for its value. */
import { TUPLE } from "../../expression.ts";
import type { Value } from "../evaluating/values.ts";

type Library = Extract<Value, { kind: "library" }>;

const LIST = "vector";
const MAP = "unordered_map";
const LISTS =
  /^(?:vector|array|span|initializer_list|deque|list|forward_list|queue|stack|priority_queue|(?:unordered_)?(?:multi)?set|valarray)$/;
const MAPS = /^(?:unordered_)?(?:multi)?map$/;
const HOLDS = /^(?:future|shared_future|promise|atomic|expected)$/;
const ELEMENT =
  /^(?:\[\]|at|front|back|top|data|c?r?begin|c?r?end|find|lower_bound|upper_bound|emplace_back|emplace_front|emplace|insert|erase|value)$/;
const OWN_SET = /set$/;
/** Methods of a pointer, an optional value or a future that lead to what it holds. */
const UNWRAPS = /^(?:get|lock|value|value_or|release|get_future|share|load)$/;

export function cppValue(name: string, of: readonly (Value | undefined)[]): Value | undefined {
  if (LISTS.test(name)) return { kind: "library", name: OWN_SET.test(name) ? "unordered_set" : LIST, of };
  if (MAPS.test(name)) return { kind: "library", name: MAP, of };
  if (name === "pair" || name === "tuple") return { kind: "library", name: TUPLE, of };
  return HOLDS.test(name) ? of[0] : undefined;
}

/** The result of a method; undefined if it is not known. */
export function cppCall(whole: Library, method: string): Value | undefined {
  if (whole.name === TUPLE) return undefined;
  if (whole.name === MAP || whole.name === "map") {
    if (/^(?:\[\]|at)$/.test(method)) return whole.of[1];
    if (/^(?:emplace|insert|try_emplace|insert_or_assign)$/.test(method)) return pairOf(entryOf(whole), undefined);
    return ELEMENT.test(method) ? entryOf(whole) : undefined;
  }
  if (!ELEMENT.test(method)) return undefined;
  const isPlaced = whole.name === "unordered_set" && /^(?:emplace|insert)$/.test(method);
  return isPlaced ? pairOf(whole.of[0], undefined) : whole.of[0];
}

/** Whether a method that the holder lacks leads to the held value. */
export function unwraps(method: string): boolean {
  return UNWRAPS.test(method);
}

/** `pair.first`, `entry.second`. */
export function partNamed(whole: Library, name: string): Value | undefined {
  if (whole.name !== TUPLE || (name !== "first" && name !== "second")) return undefined;
  return whole.of[name === "first" ? 0 : 1];
}

function entryOf(map: Library): Value {
  return { kind: "library", name: TUPLE, of: map.of };
}

function pairOf(first: Value | undefined, second: Value | undefined): Value {
  return { kind: "library", name: TUPLE, of: [first, second] };
}
