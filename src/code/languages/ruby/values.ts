/** Ruby: values of forms that other languages do not have, and results of its own library. */
import { type Expression, firstKnown, listOf, TAG, tupleOf } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { PatternPart, ValueReaders } from "../language.ts";
import { keyOf, keyText } from "./keys.ts";

const MAX_ELEMENTS = 12;
const MAX_BRANCHES = 6;
const MAX_KEYS = 2;
const LAMBDA = /^(?:lambda|proc)$/;
/** Go through numbers. */
const COUNTS = /^(?:times|upto|downto)$/;
const SPLIT = /^(?:left_assignment_list|destructured_parameter|destructured_left_assignment)$/;

export function readRubyForm(node: Node, readers: ValueReaders): Expression | undefined {
  switch (node.type) {
    case "array":
    case "right_assignment_list":
      return listed(node, readers);
    case "hash":
      return hashValue(node, readers);
    case "element_reference":
      return indexed(node, readers);
    case "lambda":
      return functionOf(node, readers);
    case "binary":
      return joined(node, readers);
    case "range":
      return listOf(null);
    case "if_modifier":
    case "unless_modifier":
      return bodyOf(node, readers);
    case "conditional":
    case "if":
    case "unless":
    case "elsif":
      return decided(node, readers);
    case "case":
      return branches(node, readers);
    default:
      return undefined;
  }
}

/** A function that is written in place, and a method as an object. */
export function rubyLibraryCall(call: Node, readers: ValueReaders): Expression | undefined {
  const method = call.childForFieldName("method")?.text ?? "";
  const receiver = call.childForFieldName("receiver");
  const isProc = method === "new" && receiver?.text === "Proc";
  if (isProc || (!receiver && LAMBDA.test(method))) return functionOf(call, readers);
  if (receiver && COUNTS.test(method)) return listOf(null);
  if (method !== "method") return undefined;
  const [named] = call.childForFieldName("arguments")?.namedChildren ?? [];
  const of = receiver && named?.type === "simple_symbol" ? readers.value(receiver) : undefined;
  return of && named ? [TAG.functionType, [], [TAG.call, [TAG.member, of, named.text.slice(1)]], null] : undefined;
}

function functionOf(node: Node, { called }: ValueReaders): Expression {
  return [TAG.functionType, [], called(node) ?? null, null];
}

/** `list[0]`, `hash[:a]`. */
function indexed(node: Node, { value }: ValueReaders): Expression | undefined {
  const object = node.childForFieldName("object");
  const of = object && value(object);
  const keys = node.namedChildren.slice(1, 1 + MAX_KEYS).map(keyOf);
  return of ? [TAG.call, [TAG.member, of, "[]"], [], [[], keys]] : undefined;
}

/** A list if its known elements are alike; the parts of a tuple otherwise. */
function listed(node: Node, { value }: ValueReaders): Expression | undefined {
  if (node.type === "array" && node.namedChildCount === 0) return listOf(null);
  const parts = node.namedChildren.filter(({ type }) => type !== "comment").slice(0, MAX_ELEMENTS);
  const values = parts.map((part): Expression | null => {
    const splat = part.type === "splat_argument" ? part.namedChildren[0] : undefined;
    const of = value(splat ?? part);
    if (splat) return of ? [TAG.element, of] : null;
    return of && of[0] !== TAG.freeName ? of : null;
  });
  const known = values.filter((each) => each !== null);
  const [first] = known;
  if (!first) return undefined;
  const key = JSON.stringify(first);
  const isPlain = node.type === "array" && !isClass(first);
  return isPlain && known.every((each) => JSON.stringify(each) === key) ? listOf(first) : tupleOf(values);
}

/** A table of classes: which of them is meant is not known. */
function isClass([tag]: Expression): boolean {
  return tag === TAG.definition;
}

/** The members of a hash by their keys, `:a` or `"a"`. */
function hashValue(node: Node, { value }: ValueReaders): Expression | undefined {
  if (node.namedChildCount === 0) return [TAG.ofType, [TAG.freeName, "dict"], [null, null]];
  const members = node.namedChildren.slice(0, MAX_ELEMENTS).flatMap((pair): [string, Expression][] => {
    const [key, stated] = [pair.childForFieldName("key"), pair.childForFieldName("value")];
    const found = stated && value(stated);
    const name = key ? keyText(key) : undefined;
    return name === undefined || !found || found[0] === TAG.freeName ? [] : [[name, found]];
  });
  return members.length > 0 ? [TAG.record, members] : undefined;
}

/** `a || b` is one of its sides, and lists may be added. */
function joined(node: Node, { value }: ValueReaders): Expression | undefined {
  const operator = node.childForFieldName("operator")?.text ?? "";
  const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
  if (!left || !right) return undefined;
  if (/^(?:&&|and)$/.test(operator)) return value(right);
  if (!/^(?:\|\||or|\+|<<)$/.test(operator)) return undefined;
  if (operator === "+" || operator === "<<") {
    const of = value(left);
    return of && of[0] !== TAG.freeName ? [TAG.call, [TAG.member, of, operator]] : undefined;
  }
  return eitherOf([value(left), value(right)]);
}

/** `value if condition`. */
function bodyOf(node: Node, { value }: ValueReaders): Expression | undefined {
  const body = node.childForFieldName("body");
  return body ? value(body) : undefined;
}

/** The value of a case whose branches are alike. */
function branches(node: Node, { value }: ValueReaders): Expression | undefined {
  const bodies = node.namedChildren.filter(({ type }) => type === "when" || type === "else").slice(0, MAX_BRANCHES);
  const values = bodies
    .map((each) => (each.type === "else" ? each : (each.childForFieldName("body") ?? each)))
    .filter((each) => !isLeft(each))
    .map((each) => value(each))
    .filter((each) => each !== undefined && each[0] !== TAG.freeName) as Expression[];
  const [first] = values;
  const key = JSON.stringify(first);
  return values.every((each) => JSON.stringify(each) === key) ? first : undefined;
}

/** Whether a branch has no value, because it raises an error. */
function isLeft(branch: Node): boolean {
  const last = branch.namedChildren.at(-1);
  return last?.type === "call" && /^(?:raise|fail)$/.test(last.childForFieldName("method")?.text ?? "");
}

/** The first branch with a known value counts. */
function decided(node: Node, { value }: ValueReaders): Expression | undefined {
  const sides = ["consequence", "alternative"].map((field) => node.childForFieldName(field));
  return eitherOf(sides.map((side) => (side && !isLeft(side) ? value(side) : undefined)));
}

function eitherOf(sides: readonly (Expression | undefined)[]): Expression | undefined {
  const known = sides.filter((each) => each !== undefined && each[0] !== TAG.freeName) as Expression[];
  const last = known.at(-1);
  return last && known.slice(0, -1).reduceRight<Expression>((rest, each) => [TAG.either, each, rest], last);
}

/** `a, (b, *c) = list`: the parts of a value, by their places. */
export function readRubyPattern(node: Node): PatternPart[] | undefined {
  if (!SPLIT.test(node.type)) return undefined;
  let isBehind = false;
  return node.namedChildren.flatMap((each, at): PatternPart[] => {
    const isRest = each.type === "rest_assignment" || each.type === "splat_parameter";
    const pattern = isRest ? each.namedChildren[0] : each;
    const isAfter = isBehind;
    isBehind ||= isRest;
    if (!pattern || !(pattern.type === "identifier" || SPLIT.test(pattern.type))) return [];
    const value = (whole: Expression | undefined): Expression | undefined => {
      const found: Expression | undefined =
        !whole || isAfter ? undefined : isRest ? [TAG.call, [TAG.member, whole, "drop"]] : [TAG.elementAt, whole, at];
      return pattern.type === "identifier" ? firstKnown([found], pattern.text) : found;
    };
    return [{ pattern, value }];
  });
}
