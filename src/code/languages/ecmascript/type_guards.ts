/**
 * TypeScript: functions that check the type of their argument, `isItem(x: unknown): x is Item`, and methods that check that
 * of their object, `isItem(): this is Item`.
 */
import type { Node } from "../../syntax/tree.ts";
import type { TypeCheck } from "../language.ts";
import { instanceofChecks, partsOf } from "../type_checks.ts";

/** Functions that return only if their argument is of a type, or if a condition holds. */
const ASSERTING = /^[$_]*(?:assert|ensure|invariant|check|require|validate|verify)/i;
const LIBRARY_ASSERT = "assert.ok";

/** Any function may be one, but hardly any has another name, and reading each condition as a check takes time. */
const CHECKING = /^[$_]*(?:is|has)(?![a-z])/;
const MAX_NAME_CHARS = 80;

/** `x instanceof T`, `isItem(x)`, and `x.isItem()`. */
export function typeChecks(condition: Node): TypeCheck[] {
  return [...instanceofChecks(condition), ...partsOf(condition).flatMap((part) => guardOf(part) ?? [])];
}

function guardOf(call: Node): TypeCheck | undefined {
  const by = call.type === "call_expression" ? call.childForFieldName("function") : null;
  if (!by || !isNamed(by, CHECKING)) return undefined;
  const [argument] = call.childForFieldName("arguments")?.namedChildren ?? [];
  // `x.isItem()`, whose result is `this is Item`.
  const of = argument ?? (by.type === "member_expression" ? by.childForFieldName("object") : null);
  return of ? { of, types: [], by } : undefined;
}

/** Checks that hold behind a call that is a statement: `assertItem(x);`, `assert(x instanceof Item);`. */
export function assertedChecks(call: Node): TypeCheck[] {
  const by = call.childForFieldName("function");
  const of = call.childForFieldName("arguments")?.namedChildren[0];
  if (!by || !of || !(isNamed(by, ASSERTING) || by.text === LIBRARY_ASSERT)) return [];
  const isCondition = of.type === "call_expression" || of.type === "binary_expression";
  return isCondition ? typeChecks(of) : [{ of, types: [], by }];
}

/** The type for which a function in place checks its only argument: `(x): x is Item => …`, `isItem`, `(x) => isItem(x)`. */
export function guardIn(fn: Node): { type: Node } | { by: Node } | undefined {
  if (fn.type !== "arrow_function") return isNamed(fn, CHECKING) ? { by: fn } : undefined;
  const stated = fn.childForFieldName("return_type");
  const verdict = stated && readVerdict(stated);
  if (verdict) return { type: verdict };
  const [parameter] = fn.childForFieldName("parameters")?.namedChildren ?? [];
  const name = fn.childForFieldName("parameter") ?? parameter?.childForFieldName("pattern") ?? parameter;
  const body = fn.childForFieldName("body");
  // The compiler tells the type only if the whole body is one check.
  const [check, ...others] = body && partsOf(body).length === 1 ? typeChecks(body) : [];
  if (!check || others.length > 0 || !name || check.of.text !== name.text) return undefined;
  const [type, second] = check.types;
  if (check.by) return { by: check.by };
  return type && !second ? { type } : undefined;
}

function isNamed(by: Node, names: RegExp): boolean {
  const name = by.type === "member_expression" ? by.childForFieldName("property") : by;
  return name !== null && name.endIndex - name.startIndex <= MAX_NAME_CHARS && names.test(name.text);
}

/** `Item` in the stated result `x is Item` or `asserts x is Item`. */
export function readVerdict(stated: Node): Node | undefined {
  if (!/^(type_predicate|asserts)_annotation$/.test(stated.type)) return undefined;
  const [inner] = stated.namedChildren;
  const predicate = inner?.type === "asserts" ? inner.namedChildren[0] : inner;
  return predicate?.childForFieldName("type") ?? undefined;
}
