/** JavaScript: results of functions of its own library that hold what they are given. */
import { ANY_MEMBER, allOf, type Expression, listOf, TAG, tupleOf } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { ValueReaders } from "../language.ts";
import { reactCall } from "./react_calls.ts";

const MAX_CALLEE_CHARS = 40;
const MAX_PARTS = 12;
const SAME =
  /^(?:structuredClone|Object\.(?:freeze|seal|preventExtensions)|(?:React\.)?(?:memo|useCallback|useDeferredValue|useEffectEvent))$/;
const SAME_OBJECT = /^Object\.(?:freeze|seal|preventExtensions|assign)$/;
const FIRST_SETTLED = /^Promise\.(?:race|any)$/;
const ALL_SETTLED = /^Promise\.(?:all|allSettled)$/;

/** Whether a call returns an object that has all members of its arguments. */
export function returnsSameObject(callee: Node): boolean {
  return callee.endIndex - callee.startIndex <= MAX_CALLEE_CHARS && SAME_OBJECT.test(callee.text);
}

/** Undefined for other functions; the project may define a function of the same name. */
export function libraryCall(call: Node, readers: ValueReaders): Expression | undefined {
  const callee = call.childForFieldName("function");
  if (!callee || callee.endIndex - callee.startIndex > MAX_CALLEE_CHARS) return undefined;
  const name = callee.text;
  if (!/^(?:Promise|Object|Array|React)\.|^(?:structuredClone|memo|use[A-Z]\w*|use|create(?:Ref|Context))$/.test(name))
    return undefined;
  const given = (call.childForFieldName("arguments")?.namedChildren ?? []).filter(({ type }) => type !== "comment");
  const [first, ...others] = given;
  const [second] = others;
  const { value, called } = readers;
  const ofReact = reactCall(name, call, given, readers);
  if (ofReact || !first) return ofReact;
  if (SAME.test(name)) return value(first);
  if (name === "Object.assign") return allOf([first, ...others].slice(0, MAX_PARTS).map(value));
  if (name === "Promise.resolve") return promised(value(first));
  if (ALL_SETTLED.test(name)) return promised(settled(first, value, name === "Promise.allSettled"));
  if (FIRST_SETTLED.test(name)) return promised(awaited(elementOf(value(first))));
  if (name === "Object.values") return listOf(held(value(first)) ?? null);
  if (name === "Object.entries") return listOf(tupleOf([null, held(value(first)) ?? null]));
  if (name === "Object.fromEntries") return mapOf("Record", value(first));
  if (name === "Array.from") {
    const made = second && called(second);
    return made ? listOf(made) : listOf(elementOf(value(first)) ?? null);
  }
  return name === "Array.of" ? listOf(value(first) ?? null) : undefined;
}

/** `new Map(pairs)`, `new Set(list)`. */
export function libraryObject(created: string, given: Node | undefined, value: ValueReaders["value"]) {
  if (!given || !/^(?:Map|Set|WeakMap|WeakSet)$/.test(created)) return undefined;
  const whole = value(given);
  if (!whole) return undefined;
  return created.endsWith("Map") ? mapOf(created, whole) : ofLibrary(created, [elementOf(whole) ?? null]);
}

/** Pairs of keys and values. */
function mapOf(name: string, pairs: Expression | undefined): Expression | undefined {
  const pair = elementOf(pairs);
  return (
    pair &&
    ofLibrary(name, [
      [TAG.elementAt, pair, 0],
      [TAG.elementAt, pair, 1],
    ])
  );
}

/** The value of any member of an object. */
function held(whole: Expression | undefined): Expression | undefined {
  return whole && [TAG.member, whole, ANY_MEMBER];
}

function settled(given: Node, value: ValueReaders["value"], isWrapped: boolean): Expression | undefined {
  const one = (of: Expression | undefined): Expression | null => {
    const found = awaited(of);
    return found && isWrapped ? [TAG.record, [["value", found]]] : (found ?? null);
  };
  const parts = given.type === "array" ? given.namedChildren.filter(({ type }) => type !== "comment") : [];
  if (parts.length > 0 && parts.length <= MAX_PARTS && parts.every(({ type }) => type !== "spread_element"))
    return tupleOf(parts.map((each) => one(value(each))));
  const whole = value(given);
  return whole && listOf(one(elementOf(whole)));
}

function elementOf(whole: Expression | undefined): Expression | undefined {
  return whole && [TAG.element, whole];
}

function awaited(of: Expression | undefined): Expression | undefined {
  return of && [TAG.awaited, of];
}

function promised(of: Expression | undefined): Expression | undefined {
  return of && ofLibrary("Promise", [of]);
}

function ofLibrary(name: string, of: (Expression | null)[]): Expression {
  return [TAG.ofType, [TAG.freeName, name], of];
}
