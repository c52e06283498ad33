/** Types that JavaScript states in comments: `@param {Option[]} options`, `@returns {Command}`, `@type {Help}`. */

import { type Expression, TAG } from "../../expression.ts";
import type { Language } from "../../languages/language.ts";
import type { Node } from "../../syntax/tree.ts";
import type { Scope } from "./scopes.ts";

/** Hold statements or members: the comment before one of these belongs to it. */
const LISTS = new Set(["program", "class_body", "statement_block", "object"]);
const MAX_LEVELS = 5;
const MAX_TYPE_CHARS = 200;
const MAX_NESTED = 4;
const COLLECTION = /^(Array|ReadonlyArray|Set|Iterable|Promise)\.?<(.+)>$/;
const NOTHING = /^(null|undefined|void)$/;
const WITHOUT_MEMBERS = /^(string|number|boolean|bigint|symbol|any|unknown|object|Object|Function|function)$/;

/** The type that the comment before the statement or member around `node` states with a tag. */
export function documentedType(
  { name }: Language,
  node: Node,
  tag: "param" | "returns" | "type",
  scope: Scope,
  parameter?: string,
): Expression | undefined {
  if (name !== "javascript") return undefined;
  const comment = commentBefore(node);
  if (comment === undefined || !comment.startsWith("/**")) return undefined;
  const pattern = /@(param|returns?|type)\s+\{([^{}]{1,200})\}(?:\s+\[?([\w$]+))?/g;
  for (const [, found = "", type = "", of] of comment.matchAll(pattern))
    if (found.replace(/^return$/, "returns") === tag && (parameter === undefined || of === parameter))
      return typeOf(type, scope, 0);
  return undefined;
}

function commentBefore(node: Node): string | undefined {
  let at: Node | null = node;
  for (let level = 0; at && level < MAX_LEVELS; level += 1, at = at.parent) {
    if (!LISTS.has(at.parent?.type ?? "")) continue;
    const before = at.previousNamedSibling;
    return before?.type === "comment" ? before.text : undefined;
  }
  return undefined;
}

function typeOf(text: string, scope: Scope, depth: number): Expression | undefined {
  if (text.length > MAX_TYPE_CHARS || depth > MAX_NESTED) return undefined;
  const sides = text.split("|").map((side) => side.trim().replaceAll(/^(\.\.\.|[?!(])+|[=?)]$/g, ""));
  const [type, ...more] = sides.filter((side) => !NOTHING.test(side));
  if (type === undefined || more.length > 0 || WITHOUT_MEMBERS.test(type)) return undefined;
  const [, collection, element] = COLLECTION.exec(type) ?? (type.endsWith("[]") ? ["", "[]", type.slice(0, -2)] : []);
  if (collection !== undefined && element !== undefined)
    return [TAG.ofType, [TAG.freeName, collection], [typeOf(element, scope, depth + 1) ?? null]];
  const head = /^[\w$]+$/.test(type) ? scope.type(type) : undefined;
  return head && head[0] !== TAG.freeName ? [TAG.ofType, head, []] : undefined;
}
