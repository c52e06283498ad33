/**
 * Types that JavaScript and PHP state in comments: `@param {Option[]} options`, `@returns {Command}`, `@type {Help}`;
 * `@param Option[] $options`, `@return Command`, `@var Help`.
 */

import { type Expression, TAG } from "../../../expression.ts";
import type { Language, PathReader } from "../../../languages/language.ts";
import { phpName } from "../../../languages/php/paths.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Scope } from "../scopes.ts";
import { jsdocType } from "./jsdoc_types.ts";
import { unionOf } from "./unions.ts";

/** Hold statements or members: the comment before one of these belongs to it. */
const LISTS = new Set(["program", "class_body", "statement_block", "object", "declaration_list", "compound_statement"]);
const MAX_LEVELS = 5;
const MAX_TYPE_CHARS = 200;
const MAX_NESTED = 4;
const MAX_SIDES = 4;
const TAGS: Readonly<Record<string, { pattern: RegExp; names: Readonly<Record<string, string>> }>> = {
  javascript: {
    pattern: /@(param|returns?|type)\s+\{((?:[^{}]|\{[^{}]{0,200}\}){1,200})\}(?:\s+\[?([\w$]+(?:\.\w+)?))?/g,
    names: { return: "returns" },
  },
  php: {
    pattern:
      /@(?:phpstan-|psalm-)?(param|return|var)\s+([^\s<]{1,100}(?:<[^\n>]{1,100}>+)?\S{0,40})(?:\s+(?:\.\.\.)?(\$\w+))?/g,
    names: { return: "returns", var: "type" },
  },
};
/** Members of an object that a comment describes. */
const MAX_MEMBERS = 24;
/** PHP: the elements are the last type argument. */
const PHP_COLLECTION =
  /^(?:array|list|iterable|non-empty-array|non-empty-list|\\?(?:Traversable|Iterator|IteratorAggregate|Generator|ArrayIterator|ArrayObject|SplObjectStorage|SplFixedArray|SplStack|SplQueue))<(?:[^<>]+,\s*)?(.+)>$/;
/** PHP: the arguments of a generic class, of which none is generic. */
const ARGUMENTS = /^\\?[\w\\]{1,100}<([^<>]{1,100})>$/;
const CAST = /^\/\*\*\s{0,20}@type\s{0,20}\{([^{}]{1,200})\}\s{0,20}\*\/$/;
const NOTHING = /^(null|undefined|void|false)$/;
const WITHOUT_MEMBERS = /^(string|object|int|float|bool|boolean|array|mixed|callable|iterable|resource|true)$/;

/** The part of the reader of expressions that is needed here. */
interface PathExpressions {
  language: Language;
  /** JavaScript: the types to which comments give names, and those that comments import. */
  typedefs: ReadonlyMap<string, string>;
  typeImports: ReadonlyMap<string, string>;
  pathReader(at: Node, scope: Scope): PathReader;
}

/** The type that the comment before the statement or member around `node` states with a tag. */
export function documentedType(
  expressions: PathExpressions,
  node: Node,
  tag: "param" | "returns" | "type",
  scope: Scope,
  name?: string,
): Expression | undefined {
  const form = TAGS[expressions.language.name];
  if (!form) return undefined;
  const comment = commentBefore(node);
  if (comment === undefined || !comment.startsWith("/**")) return undefined;
  const place = { expressions, node, scope };
  const members: [string, Expression][] = [];
  for (const [, found = "", type = "", of] of comment.matchAll(form.pattern)) {
    // `@param {User} options.user`
    if (tag === "param" && name !== undefined && of?.startsWith(`${name}.`) && members.length < MAX_MEMBERS) {
      const member = typeOf(type, place, 0);
      if (member) members.push([of.slice(name.length + 1), member]);
      continue;
    }
    if ((form.names[found] ?? found) !== tag || (name !== undefined && of !== undefined && of !== name)) continue;
    const stated = tag !== "param" || of === name ? typeOf(type, place, 0) : undefined;
    if (stated || tag !== "param") return stated;
  }
  return members.length > 0 ? [TAG.record, members] : undefined;
}

/** JavaScript: the name that the comment before a function gives its parameter at this place, which it takes apart. */
export function documentedName(fn: Node, at: number): string | undefined {
  const comment = commentBefore(fn);
  if (!comment?.startsWith("/**") || !comment.includes("@param")) return undefined;
  const names = [...comment.matchAll(TAGS.javascript?.pattern ?? /$^/g)].flatMap(([, found, , of]) =>
    found === "param" && of !== undefined ? [of.replace(/\..*$/, "")] : [],
  );
  return [...new Set(names)][at];
}

/** PHP: the comment before a method says that it returns its receiver. */
export function documentsReceiver(method: Node): boolean {
  return /@return\s+(?:static|\$this)\s/.test(commentBefore(method) ?? "");
}

/** JavaScript: the type that a comment gives a value in brackets, `/** @type {Item} *\/ (value)`. */
export function castType(expressions: PathExpressions, node: Node, scope: Scope): Expression | undefined {
  if (expressions.language.name !== "javascript") return undefined;
  let at: Node | null = node;
  for (let level = 0; at && at.startIndex === node.startIndex && level < MAX_LEVELS; level += 1, at = at.parent) {
    const before = at.previousNamedSibling;
    if (!before) continue;
    const [, type] = (before.type === "comment" && CAST.exec(before.text)) || [];
    return type === undefined ? undefined : typeOf(type, { expressions, node, scope }, 0);
  }
  return undefined;
}

interface Place {
  expressions: PathExpressions;
  node: Node;
  scope: Scope;
}

/** JavaScript: the value of a type to which a comment gives a name. */
export function typedefValue(
  expressions: PathExpressions,
  name: string,
  node: Node,
  scope: Scope,
): Expression | undefined {
  const type = expressions.typedefs.get(name);
  return type === undefined ? undefined : typeOf(type, { expressions, node, scope }, 0);
}

/** The comment before the statement or member around a node. */
export function commentBefore(node: Node): string | undefined {
  let at: Node | null = node;
  for (let level = 0; at && level < MAX_LEVELS; level += 1, at = at.parent) {
    if (!LISTS.has(at.parent?.type ?? "")) continue;
    const before = at.previousNamedSibling;
    return before?.type === "comment" ? before.text : undefined;
  }
  return undefined;
}

function typeOf(text: string, place: Place, depth: number): Expression | undefined {
  if (text.length > MAX_TYPE_CHARS || depth > MAX_NESTED) return undefined;
  if (place.expressions.language.name !== "php") return javascriptType(text, place, depth);
  const sides = text.split("|").map((side) => side.trim().replaceAll(/^(\.\.\.|[?!(])+|[=?)]$/g, ""));
  const [type, ...more] = sides.filter((side) => !NOTHING.test(side));
  if (type !== undefined && more.length > 0 && more.length < MAX_SIDES && depth === 0)
    return phpUnion([type, ...more], place);
  if (type === undefined || more.length > 0 || WITHOUT_MEMBERS.test(type)) return undefined;
  const [, collection, element] = phpCollection(type) ?? listOf(type) ?? [];
  if (collection !== undefined && element !== undefined)
    return [TAG.ofType, [TAG.freeName, collection], [typeOf(element, place, depth + 1) ?? null]];
  const head = phpType(type, place);
  if (!head || head[0] === TAG.instance || head[0] === TAG.parameter) return head;
  const given = ARGUMENTS.exec(type)?.[1]?.split(",") ?? [];
  return [TAG.ofType, head, given.map((each) => typeOf(each.trim(), place, depth + 1) ?? null)];
}

/** Of several classes each that has a member may be meant; beside other types, the value may have no members at all. */
function phpUnion(sides: readonly string[], place: Place): Expression | undefined {
  const known = sides.every((side) => /^\\?[A-Z][\w\\]*$/.test(side))
    ? sides.map((side) => typeOf(side, place, 1))
    : [];
  return known.length > 0 && known.every(Boolean) ? unionOf(known) : undefined;
}

function javascriptType(text: string, place: Place, depth: number): Expression | undefined {
  const { expressions, node, scope } = place;
  return jsdocType(text, {
    type: (name) => {
      const found = scope.type(name);
      if (found?.[0] !== TAG.freeName) return found;
      const named = expressions.typedefs.get(name) ?? expressions.typeImports.get(name);
      return named === undefined ? undefined : typeOf(named, place, depth + 1);
    },
    imported: (source, name) => expressions.pathReader(node, scope).import(source, name),
  });
}

function listOf(type: string): string[] | undefined {
  return type.endsWith("[]") ? ["", "[]", type.slice(0, -2)] : undefined;
}

function phpCollection(type: string): string[] | undefined {
  const element = PHP_COLLECTION.exec(type)?.[1];
  return element === undefined ? undefined : ["", "[]", element];
}

function phpType(type: string, { expressions, node, scope }: Place): Expression | undefined {
  const name = type.replace(/<.*$/, "");
  if (expressions.language.selfNames?.has(name)) return scope.instance();
  return /^\\?[A-Z][\w\\]*$/.test(name) ? phpName(name, expressions.pathReader(node, scope)) : undefined;
}
