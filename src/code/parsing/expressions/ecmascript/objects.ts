/** JavaScript: objects and lists that are written in place. */
import { type Expression, hasAtMost, listOf, TAG, tupleOf } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";

/** Larger ones are tables of data. */
const MAX_MEMBERS = 24;
const MAX_ELEMENTS = 8;
/** A larger member is not kept: it may be an object with members of its own. */
const MAX_PARTS = 60;
const MAX_OBJECT_PARTS = 150;

const WITHOUT_MEMBERS = /^(?:number|string|template_string|true|false|null)$/;

type ReadValue = (node: Node) => Expression | undefined;

/** The members of an object whose values are known; those of objects that it takes over come last. */
export function objectValue(object: Node, read: ReadValue): Expression | undefined {
  if (hasMoreMembers(object, MAX_MEMBERS)) return undefined;
  const members: [string, Expression][] = [];
  const others: Expression[] = [];
  for (const part of object.namedChildren) {
    const value = valueIn(part);
    const found = value && small(read(value));
    if (!found) continue;
    if (part.type === "spread_element") others.push(found);
    else members.push([nameOf(part), found]);
  }
  const own: Expression | undefined = members.length > 0 ? [TAG.record, members] : undefined;
  const whole: Expression | undefined = own && others.length > 0 ? [TAG.bounds, [own, ...others]] : (own ?? others[0]);
  return whole && hasAtMost(whole, MAX_OBJECT_PARTS) ? whole : undefined;
}

/** The objects whose members an object takes over. */
export function spreadValues(object: Node, read: ReadValue): Expression[] {
  if (hasMoreMembers(object, MAX_MEMBERS)) return [];
  const spread = object.namedChildren.filter(({ type }) => type === "spread_element");
  return spread
    .map(({ namedChildren: [taken] }) => (taken ? small(read(taken)) : null))
    .filter((each) => each !== null);
}

/** Comments are no members. */
export function hasMoreMembers(object: Node, max: number): boolean {
  return object.namedChildCount > max && object.namedChildren.filter(({ type }) => type !== "comment").length > max;
}

function valueIn(part: Node): Node | null | undefined {
  if (part.type === "pair") return part.childForFieldName("value");
  if (part.type === "spread_element") return part.namedChildren[0];
  return part.type === "shorthand_property_identifier" || part.type === "method_definition" ? part : undefined;
}

function nameOf(part: Node): string {
  const name = part.childForFieldName(part.type === "pair" ? "key" : "name") ?? part;
  return name.type === "string" ? name.text.slice(1, -1) : name.text;
}

/** A short list of different values: each has its place. Undefined for other lists. */
export function placedElements(array: Node, read: ReadValue): Expression | undefined {
  const parts = array.namedChildren.filter(({ type }) => type !== "comment");
  if (parts.length < 2 || parts.length > MAX_ELEMENTS || parts.some(({ type }) => type === "spread_element"))
    return undefined;
  const values = parts.map((each) => small(read(each)));
  if (parts.every(({ type }) => WITHOUT_MEMBERS.test(type))) return listOf(null);
  return values.some(Boolean) ? tupleOf(values) : undefined;
}

function small(expression: Expression | undefined): Expression | null {
  return expression && expression[0] !== TAG.freeName && hasAtMost(expression, MAX_PARTS) ? expression : null;
}
