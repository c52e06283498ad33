/**
 * Types that Ruby states beside a method: `@param [Item] x`, `@return [Array<Item>]` in comments, `#: (Item) -> Box`, and
 * `sig { params(x: Item).returns(Box) }`.
 */
import { type Expression, listOf, TAG, tupleOf } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Scope } from "../scopes.ts";

const MAX_LINES = 40;
const MAX_LINE_CHARS = 300;
const MAX_NESTED = 4;
const MAX_ARGUMENTS = 4;
const MAX_PARAMETERS = 12;
const TAGGED =
  /^#\s{0,8}@(param|return|yieldparam)\s{1,8}(?:(\w{1,60})\s{1,8})?\[([^\]\n]{1,160}\]?)\](?:\s{1,8}(\w{1,60}))?/;
/** The lines around it describe something else. */
const DIRECTIVE = /^#\s{0,8}@!/;
const RBS = /^#:\s{0,8}(?:\(([^\n]{0,200}?)\)\s{0,4})?->\s{0,4}([^\n]{1,120})$/;
const LIST = /^(?:T::)?(?:Array|Set|Enumerable|Enumerator|Enumerator::Lazy|Relation)$/;
const HASH = /^(?:T::)?Hash$/;
const NOTHING = /^(?:nil|NilClass|void|self|untyped|bool|Boolean|true|false|T\.untyped|T::Boolean)$/;
const CONSTANT = /^(?:::)?[A-Z]\w{0,80}(?:::[A-Z]\w{0,80}){0,6}$/;
/** Values of Ruby's own classes say nothing about the project. */
const CORE =
  /^(?:String|Symbol|Integer|Float|Numeric|Object|BasicObject|Proc|Class|Module|Regexp|Time|Date|IO|Hash|Array)$/;

interface Reader {
  value(node: Node, scope: Scope): Expression | undefined;
  type(node: Node, scope: Scope): Expression | undefined;
}

type Kind = "param" | "return" | "yieldparam";

/** The type that is stated for the result of a method, for one of its parameters, or for those of its block. */
export function statedBeside(
  reader: Reader,
  method: Node,
  kind: Kind,
  scope: Scope,
  name?: string,
): Expression | undefined {
  const item = isAccess(method.parent) ? (method.parent?.parent ?? method) : method;
  // The comment before the first method of a class is before the body.
  let at =
    item.previousNamedSibling ?? (item.parent?.type === "body_statement" ? item.parent.previousNamedSibling : null);
  if (at && isSignature(at)) {
    const found = fromSignature(reader, at, kind, scope, name);
    if (found) return found;
    at = at.previousNamedSibling;
  }
  for (let line = 0; at?.type === "comment" && line < MAX_LINES; line += 1, at = at.previousNamedSibling) {
    const text = at.text.slice(0, MAX_LINE_CHARS);
    if (DIRECTIVE.test(text)) return undefined;
    const found = text.startsWith("#:") ? fromShort(text, kind, scope, method, name) : fromTag(text, kind, scope, name);
    if (found) return found;
  }
  return undefined;
}

/** `private def x`. */
function isAccess(list: Node | null): boolean {
  return list?.type === "argument_list" && list.parent?.type === "call";
}

function fromTag(text: string, kind: Kind, scope: Scope, name: string | undefined): Expression | undefined {
  const [, tag, before, type = "", behind] = TAGGED.exec(text) ?? [];
  if (tag !== kind || (name !== undefined && (before ?? behind) !== name)) return undefined;
  return typeNamed(type, scope, 0);
}

/** `#: (Item, ?bool) -> Box`. */
function fromShort(
  text: string,
  kind: Kind,
  scope: Scope,
  method: Node,
  name: string | undefined,
): Expression | undefined {
  const [, taken = "", result = ""] = RBS.exec(text) ?? [];
  if (kind === "return") return typeNamed(result, scope, 0);
  if (kind !== "param" || name === undefined) return undefined;
  const parts = partsOf(taken).slice(0, MAX_PARAMETERS);
  const named = parts.find((part) => part.startsWith(`${name}:`) || part.startsWith(`?${name}:`));
  if (named !== undefined) return typeNamed(named.slice(named.indexOf(":") + 1), scope, 0);
  const all = method.childForFieldName("parameters")?.namedChildren ?? [];
  const at = all.findIndex((each) => (each.childForFieldName("name") ?? each).text === name);
  const part = all[at]?.type === "identifier" || all[at]?.type === "optional_parameter" ? parts[at] : undefined;
  return part === undefined ? undefined : typeNamed(part.replace(/^\?/, "").split(" ")[0] ?? "", scope, 0);
}

/** A type as a text: `Array<Item>`, `Hash{String => Item}`, `Item, nil`, `Item?`. */
function typeNamed(stated: string, scope: Scope, depth: number): Expression | undefined {
  if (depth > MAX_NESTED) return undefined;
  const sides = partsOf(stated.replaceAll("|", ",")).filter((side) => !NOTHING.test(side));
  const [only] = sides;
  if (only === undefined || sides.length > 1) return undefined;
  const text = only.replace(/\?$/, "");
  const [, head = text, held] = /^([\w:]{1,100})[<{([](.{1,150})[>})\]]$/.exec(text) ?? [];
  if (held !== undefined) return heldType(head, held, scope, depth);
  if (!CONSTANT.test(head) || CORE.test(head)) return undefined;
  return classNamed(head, scope);
}

function heldType(head: string, held: string, scope: Scope, depth: number): Expression | undefined {
  const parts = held.includes("=>") ? held.split("=>", 2) : partsOf(held);
  const [first = null, second = null, ...more] = parts
    .slice(0, MAX_ARGUMENTS)
    .map((part) => typeNamed(part.trim(), scope, depth + 1) ?? null);
  if (HASH.test(head)) return second ? [TAG.ofType, [TAG.freeName, "dict"], [first, second]] : undefined;
  if (!LIST.test(head)) return undefined;
  return parts.length > 1 ? tupleOf([first, second, ...more]) : first ? listOf(first) : undefined;
}

/** The sides of `A, B<C, D>`, without those in brackets. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let [nested, from] = [0, 0];
  for (let at = 0; at <= text.length; at += 1) {
    const letter = text[at];
    if (letter !== undefined && "<{([".includes(letter)) nested += 1;
    else if (letter !== undefined && ">})]".includes(letter) && text[at - 1] !== "=" && text[at - 1] !== "-")
      nested -= 1;
    else if (letter === undefined || (letter === "," && nested === 0)) {
      const part = text.slice(from, at).trim();
      if (part !== "") parts.push(part);
      from = at + 1;
    }
  }
  return parts;
}

function classNamed(path: string, scope: Scope): Expression | undefined {
  const [first = "", ...members] = path.replace(/^::/, "").split("::");
  const found = scope.type(first);
  const isFree = found?.[0] === TAG.freeName;
  const head: Expression | undefined = isFree && scope.self >= 0 ? [TAG.memberOrFree, scope.self, first] : found;
  const named = members.reduce<Expression | undefined>((of, name) => of && [TAG.member, of, name], head);
  return named && [TAG.ofType, named, []];
}

function isSignature(node: Node): boolean {
  return (
    node.type === "call" && node.childForFieldName("method")?.text === "sig" && !node.childForFieldName("receiver")
  );
}

/** `sig { params(x: Item).returns(T::Array[Box]) }`. */
function fromSignature(
  reader: Reader,
  sig: Node,
  kind: Kind,
  scope: Scope,
  name: string | undefined,
): Expression | undefined {
  let at: Node | null | undefined = sig.childForFieldName("block")?.childForFieldName("body")?.namedChildren[0];
  for (let step = 0; at?.type === "call" && step < MAX_NESTED; step += 1, at = at.childForFieldName("receiver")) {
    const method = at.childForFieldName("method")?.text;
    const given = at.childForFieldName("arguments")?.namedChildren ?? [];
    if (method === "returns" && kind === "return") return given[0] && typeAt(reader, given[0], scope, 0);
    if (method !== "params" || kind !== "param") continue;
    const pair = given.find((each) => each.type === "pair" && each.childForFieldName("key")?.text === name);
    const type = pair?.childForFieldName("value");
    return type ? typeAt(reader, type, scope, 0) : undefined;
  }
  return undefined;
}

function typeAt(reader: Reader, node: Node, scope: Scope, depth: number): Expression | undefined {
  if (depth > MAX_NESTED) return undefined;
  if (node.type === "element_reference") {
    const head = node.childForFieldName("object")?.text ?? "";
    const held = node.namedChildren
      .slice(1, 1 + MAX_ARGUMENTS)
      .map((each) => typeAt(reader, each, scope, depth + 1) ?? null);
    if (HASH.test(head)) return held[1] ? [TAG.ofType, [TAG.freeName, "dict"], held] : undefined;
    return LIST.test(head) && held[0] ? listOf(held[0]) : undefined;
  }
  const [inner] = node.childForFieldName("arguments")?.namedChildren ?? [];
  if (node.type === "call" && node.childForFieldName("receiver")?.text === "T")
    return node.childForFieldName("method")?.text === "nilable" && inner
      ? typeAt(reader, inner, scope, depth + 1)
      : undefined;
  return node.type === "constant" || node.type === "scope_resolution" ? reader.type(node, scope) : undefined;
}
