/**
 * Paths of Rust that name a module without importing it: `crate::a::f()`, `super::g()`, `other_crate::h()`. Modules and
 * crates begin with a small letter; the first capital begins a type, whose members follow. The arguments of a macro are
 * tokens and not expressions, so calls in them are read from the tokens.
 */

import { type Expression, TAG } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { PathReader } from "../language.ts";

const RELATIVE = new Set(["crate", "self", "super"]);
const MAX_SEGMENTS = 12;
/** Longer lists of type arguments are not read. */
const MAX_TYPE_TOKENS = 40;
const UNKNOWN: Expression = [TAG.freeName, ""];

export function readRustPath(node: Node, reader: PathReader): Expression | undefined {
  if (node.type !== "scoped_identifier" && node.type !== "scoped_type_identifier") return undefined;
  const segments = segmentsOf(node, 0);
  return segments.length > MAX_SEGMENTS ? undefined : throughModules(segments, reader);
}

/** Without type arguments; `<T as Trait>` counts as the trait. */
function segmentsOf(node: Node, depth: number): string[] {
  if (depth > MAX_SEGMENTS) return [];
  const inner = (field: string): string[] => {
    const found = node.childForFieldName(field);
    return found ? segmentsOf(found, depth + 1) : [];
  };
  if (node.type === "scoped_identifier" || node.type === "scoped_type_identifier")
    return [...inner("path"), node.childForFieldName("name")?.text ?? ""];
  if (node.type === "generic_type" || node.type === "reference_type") return inner("type");
  if (node.type === "qualified_type") return inner("alias");
  const [only] = node.type === "bracketed_type" ? node.namedChildren : [];
  return only ? segmentsOf(only, depth + 1) : [node.text];
}

function throughModules(segments: readonly string[], reader: PathReader): Expression | undefined {
  const rest = [...segments];
  let levels = reader.modules;
  // Inside a module of the same file, `self` and `super` are names around it.
  while (levels > 0 && (rest[0] === "self" || rest[0] === "super")) if (rest.shift() === "super") levels -= 1;
  const [root = ""] = rest;
  // A variable never begins a path, even if it hides a module of the same name.
  const head = RELATIVE.has(root) ? undefined : (itemOf(reader.lookUp(root)) ?? itemOf(reader.atTop(root)));
  const isInFile = rest.length < segments.length && !RELATIVE.has(root);
  if (isInFile && rest.length > 0) return members(head ?? UNKNOWN, rest.slice(1));
  const isModule = RELATIVE.has(root) || (head?.[0] === TAG.freeName && /^[a-z_]/.test(root));
  if (rest.length < 2) return undefined;
  if (!isModule) return members(head ?? UNKNOWN, rest.slice(1));
  const type = rest.findIndex((name, i) => i > 0 && /^[A-Z]/.test(name));
  const end = type < 0 ? rest.length - 1 : type;
  return members(reader.import(rest.slice(0, end).join("::"), rest[end] ?? ""), rest.slice(end + 1));
}

function itemOf(found: Expression | undefined): Expression | undefined {
  return found && [TAG.definition, TAG.import, TAG.freeName, TAG.parameter, TAG.bounds].includes(found[0] as never)
    ? found
    : undefined;
}

function members(head: Expression, names: readonly string[]): Expression {
  return names.reduce<Expression>((of, name) => [TAG.member, of, name], head);
}

/** The callee of a call in the arguments of a macro: the name before a pair of brackets, with what precedes it. */
export function readRustTokens(name: Node, reader: PathReader): Expression | undefined {
  if (argumentsOf(name)?.firstChild?.type !== "(") return undefined;
  const path = [name.text];
  let before = name.previousSibling;
  while (before?.type === "::" && path.length < MAX_SEGMENTS) {
    const segment: Node | null = before.previousSibling;
    if (!segment || !isName(segment)) return undefined;
    path.unshift(segment.text);
    before = segment.previousSibling;
  }
  if (before?.type === "fn") return undefined;
  if (before?.type === ".") return [TAG.member, receiverOf(before.previousSibling, reader), name.text];
  return path.length === 1 ? reader.lookUp(path[0] ?? "") : throughModules(path, reader);
}

/** The node after a name, and after its type arguments: `f::<A, B>(…)`. */
function argumentsOf(name: Node): Node | null {
  const next = name.nextSibling;
  if (next?.type !== "::" || next.nextSibling?.type !== "<") return next;
  let depth = 0;
  let at: Node | null = next.nextSibling;
  for (let seen = 0; at && seen < MAX_TYPE_TOKENS; seen += 1) {
    if (at.type === "<") depth += 1;
    else if (at.type === ">" || at.type === ">>") depth -= at.type.length;
    at = at.nextSibling;
    if (depth <= 0) return at;
  }
  return null;
}

/** The name before a pair of brackets, and before its type arguments. */
function calledBefore(brackets: Node): Node | null {
  let at = brackets.previousSibling;
  if (at?.type !== ">" && at?.type !== ">>") return at;
  let depth = 0;
  for (let seen = 0; at && seen < MAX_TYPE_TOKENS; seen += 1) {
    if (at.type === "<") depth -= 1;
    else if (at.type === ">" || at.type === ">>") depth += at.type.length;
    at = at.previousSibling;
    if (depth <= 0) return at?.type === "::" ? at.previousSibling : null;
  }
  return null;
}

/** A name, or a chain of fields and calls. */
function receiverOf(last: Node | null, reader: PathReader): Expression {
  if (last?.type === "token_tree" && last.firstChild?.type === "(") {
    const name = calledBefore(last);
    const callee = name && isName(name) ? readRustTokens(name, reader) : undefined;
    return callee ? [TAG.call, callee] : UNKNOWN;
  }
  if (last?.type === "token_tree" && last.firstChild?.type === "[")
    return [TAG.call, [TAG.member, receiverOf(last.previousSibling, reader), "[]"]];
  if (last?.type === "?") return receiverOf(last.previousSibling, reader);
  if (!last || !(isName(last) || last.type === "integer_literal")) return UNKNOWN;
  const before = last.previousSibling;
  if (before?.type === "::") return UNKNOWN;
  if (before?.type === ".") return [TAG.member, receiverOf(before.previousSibling, reader), last.text];
  return (last.text === "self" ? reader.self() : reader.lookUp(last.text)) ?? UNKNOWN;
}

function isName({ type }: Node): boolean {
  return /^(identifier|primitive_type|self|super|crate)$/.test(type);
}
