/** Reads collections that are written in place: lists, tuples, dictionaries, and what a comprehension makes. */
import { type Expression, listOf, TAG, tupleOf } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import { bindPattern, type PatternReader } from "./patterns.ts";
import { Scope } from "./scopes.ts";

interface ValueReader extends PatternReader {
  value(node: Node, scope: Scope, depth?: number): Expression | undefined;
}

const MAX_ELEMENTS = 8;
const LISTS: ReadonlySet<string> = new Set(["array", "array_expression", "list", "set"]);
const TUPLES: ReadonlySet<string> = new Set(["tuple_expression", "tuple", "expression_list"]);
const COMPREHENSION = /^(list_comprehension|set_comprehension|dictionary_comprehension|generator_expression)$/;

/** The type of a collection by its first element, of a tuple by all; undefined for other nodes. */
export function collectionValue(reader: ValueReader, node: Node, scope: Scope, depth: number): Expression | undefined {
  if (LISTS.has(node.type)) {
    const first = node.namedChildren[0];
    if (first?.type === "spread_element" || first?.type === "list_splat") {
      const whole = first.namedChildren[0] && reader.value(first.namedChildren[0], scope, depth + 1);
      return whole && listOf([TAG.element, whole]);
    }
    const of = first && reader.value(first, scope, depth + 1);
    return reader.language.explicitSelf && isDefinition(of) ? undefined : of && listOf(of);
  }
  if (node.type === "array_creation_expression") return phpArray(reader, node, scope, depth);
  if (TUPLES.has(node.type)) {
    const parts = node.namedChildren.map((each) => reader.value(each, scope, depth + 1) ?? null);
    return parts.some(Boolean) ? tupleOf(parts) : undefined;
  }
  // Python's alone: in other languages the members of an object are definitions.
  if (node.type === "dictionary") return pairOf(reader, node.namedChildren[0], scope, depth);
  return COMPREHENSION.test(node.type) ? comprehended(reader, node, scope, depth) : undefined;
}

/** PHP: a list if its elements are alike; the parts of a tuple otherwise. */
function phpArray(reader: ValueReader, node: Node, scope: Scope, depth: number): Expression | undefined {
  const elements = node.namedChildren.filter(({ type }) => type === "array_element_initializer").slice(0, MAX_ELEMENTS);
  const values = elements.map(({ namedChildren }): Expression | null => {
    const last = namedChildren.at(-1);
    const isSpread = last?.type === "variadic_unpacking";
    const of = last && reader.value(isSpread ? (last.namedChildren[0] ?? last) : last, scope, depth + 1);
    if (!of || isSpread) return of ? [TAG.element, of] : null;
    return of[0] !== TAG.member && isDefinition(of) ? null : of;
  });
  const [first] = values;
  if (!values.some(Boolean)) return undefined;
  const key = JSON.stringify(first);
  if (first && values.every((each) => JSON.stringify(each) === key)) return listOf(first);
  const isKeyed = elements.some(({ namedChildCount }) => namedChildCount > 1);
  return isKeyed ? undefined : tupleOf(values);
}

function comprehended(reader: ValueReader, node: Node, scope: Scope, depth: number): Expression | undefined {
  const inner = new Scope(scope);
  for (const clause of node.namedChildren) {
    const [left, right] = [clause.childForFieldName("left"), clause.childForFieldName("right")];
    if (clause.type !== "for_in_clause" || !left || !right) continue;
    bindPattern(reader, left, inner, () => {
      const whole = reader.value(right, inner, depth + 1);
      return whole && [TAG.element, whole];
    });
  }
  const body = node.childForFieldName("body");
  if (body?.type === "pair") return pairOf(reader, body, inner, depth);
  const of = body ? reader.value(body, inner, depth + 1) : undefined;
  return of && listOf(of);
}

function pairOf(reader: ValueReader, pair: Node | undefined, scope: Scope, depth: number): Expression | undefined {
  if (pair?.type !== "pair") return undefined;
  const parts = ["key", "value"].map((field) => {
    const part = pair.childForFieldName(field);
    return (part && reader.value(part, scope, depth + 1)) ?? null;
  });
  return parts[1] && !isDefinition(parts[1]) ? [TAG.ofType, [TAG.freeName, "dict"], parts] : undefined;
}

/** A table of functions or classes: which of them is meant is not known. */
function isDefinition(element: Expression | null | undefined): boolean {
  if (element?.[0] === TAG.ofType) return element[2].some(isDefinition);
  return element?.[0] === TAG.definition || element?.[0] === TAG.import || element?.[0] === TAG.member;
}
