/** Binds the names of a pattern (`{ a, b: [c] }`) to the parts of a value. */

import { type Expression, memberOf, TAG } from "../../expression.ts";
import type { Language, PathReader } from "../../languages/language.ts";
import type { Node } from "../../syntax/tree.ts";
import { HIDDEN, type Scope } from "./scopes.ts";

/** The language of the pattern, and how to read a path at a node. */
export interface PatternReader {
  language: Language;
  pathReader(at: Node, scope: Scope): PathReader;
  value?(node: Node, scope: Scope): Expression | undefined;
}

/** Binds every name of a pattern to its part of the value. */
export function bindPattern(
  reader: PatternReader,
  pattern: Node,
  scope: Scope,
  whole: () => Expression | undefined,
): void {
  const { type: kind } = pattern;
  const { nodes } = reader.language;
  const parts = reader.language.readPattern?.(pattern, () => reader.pathReader(pattern, scope.parent ?? scope));
  if (parts) {
    for (const { pattern: inner, value } of parts) bindPattern(reader, inner, scope, () => value(whole()));
  } else if (nodes.names.has(kind) || nodes.patterns.shorthand.has(kind)) {
    scope.bindValue(pattern.text, whole);
  } else if (nodes.patterns.object.has(kind)) {
    for (const part of pattern.namedChildren) if (part) bindField(reader, part, scope, whole);
  } else if (nodes.patterns.array.has(kind)) {
    for (const { part, at } of placesIn(pattern, reader.language)) {
      const isRest = part.type === "rest_pattern";
      bindPattern(reader, isRest ? (part.namedChildren[0] ?? part) : part, scope, () => {
        const of = whole();
        if (isRest) return of && [TAG.call, [TAG.member, of, "slice"]];
        return of && [TAG.elementAt, of, at];
      });
    }
  } else if (nodes.patterns.around.has(kind)) {
    const inner = pattern.namedChildren[0];
    if (inner)
      bindPattern(reader, inner, scope, kind.startsWith("rest") ? HIDDEN : withUsual(reader, pattern, scope, whole));
  }
}

/** The parts of a pattern of a list, with their places. */
function placesIn(pattern: Node, { family }: Language): { part: Node; at: number }[] {
  // `_` has no name of its own in Rust's grammar, but is a part; in JavaScript a part may be left out.
  const parts = pattern.children.filter(({ type }) => type === "_" || !/^[[\](),]$/.test(type));
  if (family !== "ecmascript") return parts.map((part, at) => ({ part, at }));
  const found: { part: Node; at: number }[] = [];
  let at = 0;
  for (const part of pattern.children) {
    if (part.type === ",") at += 1;
    else if (!/^[[\]]$/.test(part.type) && part.type !== "comment") found.push({ part, at });
  }
  return found;
}

function bindField(reader: PatternReader, part: Node, scope: Scope, whole: () => Expression | undefined): void {
  const { nodes } = reader.language;
  const member = (name: string) => () => {
    const of = whole();
    return of && memberOf(of, name);
  };
  const pair = nodes.patterns.pair[part.type];
  if (pair) {
    const key = part.childForFieldName(pair[0])?.text ?? "";
    const inner = part.childForFieldName(pair[1]);
    if (inner) bindPattern(reader, inner, scope, member(key));
  } else if (nodes.patterns.shorthand.has(part.type)) {
    bindPattern(reader, part, scope, member(part.text));
  } else if (nodes.patterns.around.has(part.type)) {
    const inner = part.namedChildren[0];
    const isRest = part.type.startsWith("rest");
    if (inner) bindPattern(reader, inner, scope, isRest ? whole : withUsual(reader, part, scope, member(inner.text)));
  }
}

/** `{ a = b }`: the part of the value, or else the usual one. */
function withUsual(
  reader: PatternReader,
  pattern: Node,
  scope: Scope,
  whole: () => Expression | undefined,
): () => Expression | undefined {
  const usual = pattern.type.endsWith("assignment_pattern") ? pattern.namedChildren[1] : undefined;
  if (!usual || !reader.value) return whole;
  return () => {
    const [found, other] = [whole(), reader.value?.(usual, scope.parent ?? scope)];
    if (!other || other[0] === TAG.freeName) return found;
    return found ? [TAG.either, found, [TAG.union, [other]]] : [TAG.union, [other]];
  };
}
