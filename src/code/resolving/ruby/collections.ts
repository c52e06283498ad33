/** Values that Ruby's own collections hold: what their methods return, and what they pass to blocks. */
import { TUPLE } from "../../expression.ts";
import type { Value } from "../evaluating/values.ts";

export type Library = Extract<Value, { kind: "library" }>;

/** Records that a query found. */
export const RELATION = "Relation";
const LISTS: ReadonlySet<string> = new Set(["[]", RELATION]);
const HASH = "dict";
const THREAD = "Thread";
/** Methods of a list whose result is one with the same elements. */
const SAME =
  /^(?:select!?|filter!?|reject!?|sort!?|sort_by!?|reverse!?|uniq!?|compact!?|drop|drop_while|take|take_while|shuffle!?|rotate!?|to_a|to_ary|entries|each|each_entry|reverse_each|dup|clone|freeze|itself|lazy|eager|force|push|<<|append|prepend|unshift|concat|\+|-|\||&|union|difference|intersection|keep_if|delete_if|values_at|find_all|cycle|insert|fill|to_set|add|each_with_index|with_index|each_with_object|with_object|step|tap)$/;
const ONE =
  /^(?:first|last|sample|min|max|min_by|max_by|find|detect|pop|shift|deq|at|\[\]|dig|fetch|delete|delete_at|next|peek|inject|reduce|slice)$/;
/** Of these, the methods that return a list if the call states how many. */
const COUNTED = /^(?:first|last|sample|min|max|min_by|max_by|pop|shift)$/;
const SLICES = /^(?:each_slice|each_cons|in_groups_of|combination|permutation|chunk_while|slice_when|transpose)$/;
const MAPS = /^(?:map|collect|map!|collect!|filter_map|flat_map|collect_concat)$/;
/** Methods that pass a block several values, each with its own parameter. */
const SEVERAL = /^(?:sort!?|m(?:ax|in)|minmax|inject|reduce|each_with_object|with_object|(?:each_)?with_index)$/;
const PASSES_ELEMENT =
  /^(?:each|each_entry|reverse_each|map!?|collect!?|flat_map|collect_concat|filter_map|select!?|filter!?|reject!?|find|detect|find_all|find_index|index|partition|group_by|(?:sort|min|max|minmax|uniq|sum|chunk|index)_by!?|sum|count|uniq|any\?|all\?|none\?|one\?|take_while|drop_while|delete_if|keep_if|to_h|to_set|each_with_index|cycle|tally_by|zip|bsearch)$/;

/** The name of a field: the parts that an object is taken apart into. */
export const PARTS = "deconstruct";

export function listOf(of: Value | undefined): Library {
  return { kind: "library", name: "[]", of: [of] };
}

export function tupleOf(of: readonly (Value | undefined)[]): Library {
  return { kind: "library", name: TUPLE, of };
}

export function hashOf(key: Value | undefined, value: Value | undefined): Library {
  return { kind: "library", name: HASH, of: [key, value] };
}

export function threadOf(result: Value | undefined): Library {
  return { kind: "library", name: THREAD, of: [result] };
}

/** Whether nothing is known of what a list or hash holds. */
export function isHollow(value: Value): boolean {
  return (
    value.kind === "library" && /^(?:\[\]|dict)$/.test(value.name) && value.of.length > 0 && !value.of.some(Boolean)
  );
}

/** The rest of a call, besides its receiver: the result of its block, and its arguments. */
export interface RubyArguments {
  /** The result of the block. */
  made: Value | undefined;
  /** Keys and numbers as they are written; undefined for others. */
  keys: readonly (string | undefined)[];
  values: readonly (Value | undefined)[];
}

/** An element of a collection; undefined if its parts are of several types. */
export function elementOf(whole: Value | undefined): Value | undefined {
  if (whole?.kind !== "library") return undefined;
  if (whole.name === HASH) return tupleOf(whole.of);
  return whole.name === TUPLE ? common(whole.of) : LISTS.has(whole.name) ? whole.of[0] : undefined;
}

/** The value that all of these are. */
function common(values: readonly (Value | undefined)[]): Value | undefined {
  const [first] = values;
  if (first?.kind === "library")
    return values.every((each) => each?.kind === "library" && each.name === first.name) ? first : undefined;
  if (first?.kind !== "instance" && first?.kind !== "definition") return undefined;
  const isSame = (each: Value | undefined): boolean =>
    each?.kind === first.kind && each.slot === first.slot && each.path === first.path;
  return values.every(isSame) ? first : undefined;
}

/** A part of a value that is taken apart. */
export function partOf(whole: Value | undefined, at: number): Value | undefined {
  if (whole?.kind === "library" && whole.name === TUPLE) return whole.of[at];
  return whole?.kind === "library" && whole.name === "[]" ? whole.of[0] : undefined;
}

/** The result of a method of a collection; undefined if it is not known. */
export function collectionCall(whole: Library, method: string, given: RubyArguments): Value | undefined {
  if (whole.name === THREAD) return method === "value" ? whole.of[0] : method === "join" ? whole : undefined;
  const element = elementOf(whole);
  if (MAPS.test(method))
    return listOf(/^(?:flat_map|collect_concat)$/.test(method) ? flattened(given.made) : given.made);
  if (method === "to_h" && given.made) return pairs(given.made);
  if (method === "group_by") return hashOf(given.made, listOf(element));
  if (method === "index_by") return hashOf(given.made, element);
  if (method === "partition") return tupleOf([listOf(element), listOf(element)]);
  if (method === "minmax" || method === "minmax_by") return tupleOf([element, element]);
  if (method === "zip") return listOf(tupleOf([element, ...given.values.map(elementOf)]));
  if (/^(?:each_)?with_object$/.test(method)) return given.values[0];
  if (/^(?:inject|reduce)$/.test(method)) return given.values.length > 0 ? (given.values[0] ?? given.made) : element;
  return whole.name === HASH ? hashCall(whole, method, given) : listCall(whole, method, given, element);
}

function listCall(whole: Library, method: string, given: RubyArguments, element: Value | undefined): Value | undefined {
  if (method === "to_h") return pairs(element);
  if (method === "flatten") return listOf(flattened(element) ?? element);
  if (SLICES.test(method)) return listOf(listOf(element));
  const isPart = given.keys[0] === ".." || given.keys.length > 1;
  if (/^(?:\[\]|slice)$/.test(method) && isPart) return listOf(element);
  const at = whole.name === TUPLE ? placeOf(method, given) : undefined;
  if (at !== undefined) return whole.of.at(at);
  if (method === "dig") return dug(element, given);
  if (COUNTED.test(method) && given.keys.length > 0) return listOf(element);
  if (ONE.test(method)) return element ?? (method === "fetch" ? given.made : undefined);
  return SAME.test(method) ? (whole.name === TUPLE ? listOf(element) : whole) : undefined;
}

/** The place in a tuple that a method reads, from its end if it is negative. */
function placeOf(method: string, { keys }: RubyArguments): number | undefined {
  const [key = ""] = keys;
  if (/^(?:\[\]|at|fetch|dig)$/.test(method)) return /^\d$/.test(key) ? Number(key) : undefined;
  if (keys.length > 0) return undefined;
  return method === "first" ? 0 : method === "last" ? -1 : undefined;
}

function hashCall(whole: Library, method: string, given: RubyArguments): Value | undefined {
  const [key, value] = whole.of;
  if (/^(?:\[\]|fetch|delete|store|default)$/.test(method)) return value ?? given.made;
  if (method === "dig") return dug(value, given);
  if (/^(?:values|values_at|fetch_values|each_value)$/.test(method)) return listOf(value);
  if (/^(?:keys|each_key)$/.test(method)) return listOf(key);
  if (/^(?:transform_values!?)$/.test(method)) return hashOf(key, given.made);
  if (/^(?:transform_keys!?)$/.test(method)) return hashOf(given.made, value);
  if (method === "invert") return hashOf(value, key);
  if (/^(?:find|detect|(?:max|min)_by|first|min|max|shift|sample)$/.test(method))
    return given.keys.length > 0 ? listOf(tupleOf(whole.of)) : tupleOf(whole.of);
  if (/^(?:sort|sort_by|to_a|sum|entries|find_all|each_with_index|take|drop)$/.test(method))
    return listOf(tupleOf(whole.of));
  const isSame =
    /^(?:each|each_pair|select!?|filter!?|reject!?|merge!?|update|compact!?|slice|except|dup|clone|freeze|itself|tap|to_h|delete_if|keep_if|with_indifferent_access|compare_by_identity)$/;
  return isSame.test(method) ? whole : undefined;
}

/** `dig(a, b)` looks into what the first key leads to. */
function dug(of: Value | undefined, given: RubyArguments): Value | undefined {
  if (given.keys.length < 2) return of;
  const rest = { ...given, keys: given.keys.slice(1), values: given.values.slice(1) };
  return of?.kind === "library" ? collectionCall(of, "dig", rest) : undefined;
}

function flattened(made: Value | undefined): Value | undefined {
  return made?.kind === "library" ? elementOf(made) : made;
}

function pairs(pair: Value | undefined): Value | undefined {
  return hashOf(partOf(pair, 0), partOf(pair, 1));
}

/** The value that a method of a collection passes to a parameter of its block. `isSplit`: the block has several parameters. */
export function passedToBlock(
  whole: Library,
  method: string,
  parameter: number,
  isSplit: boolean,
  values: readonly (Value | undefined)[],
): Value | undefined {
  const passed = passedFrom(whole, method, values);
  if (!passed) return undefined;
  return isSplit && passed.length === 1 && !SEVERAL.test(method) ? partOf(passed[0], parameter) : passed[parameter];
}

function passedFrom(
  whole: Library,
  method: string,
  values: readonly (Value | undefined)[],
): (Value | undefined)[] | undefined {
  const element = elementOf(whole);
  if (/^(?:each_)?with_index$/.test(method)) return [element, undefined];
  if (/^(?:each_)?with_object$/.test(method)) return [element, values[0]];
  if (/^(?:inject|reduce)$/.test(method)) return [values.length > 0 ? values[0] : element, element];
  if (/^(?:sort!?|max|min|minmax)$/.test(method)) return [element, element];
  if (SLICES.test(method)) return [listOf(element)];
  if (method === "zip") return [tupleOf([element, ...values.map(elementOf)])];
  if (whole.name !== HASH) return PASSES_ELEMENT.test(method) ? [element] : undefined;
  if (/^(?:each_value|transform_values!?)$/.test(method)) return [whole.of[1]];
  if (/^(?:each_key|transform_keys!?)$/.test(method)) return [whole.of[0]];
  return PASSES_ELEMENT.test(method) || method === "each_pair" ? [element] : undefined;
}
