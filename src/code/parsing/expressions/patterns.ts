/** Binds the names of a pattern (`{ a, b: [c] }`) to the parts of a value. */

import { type Expression, memberOf, TAG } from "../../expression.ts";
import type { Language, PathReader } from "../../languages/language.ts";
import type { Node } from "../../syntax/tree.ts";
import { HIDDEN, type Scope } from "./scopes.ts";

/** The language of the pattern, and how to read a path at a node. */
export interface PatternReader {
  language: Language;
  pathReader(at: Node, scope: Scope): PathReader;
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
    // `_` has no name of its own in Rust's grammar, but is a part.
    const parts = pattern.children.filter(({ type }) => type === "_" || !/^[[\](),]$/.test(type));
    for (const [at, part] of parts.entries()) {
      bindPattern(reader, part, scope, () => {
        const of = whole();
        return of && [TAG.elementAt, of, at];
      });
    }
  } else if (nodes.patterns.around.has(kind)) {
    const inner = pattern.namedChildren[0];
    if (inner) bindPattern(reader, inner, scope, kind.startsWith("rest") ? HIDDEN : whole);
  }
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
    if (inner) bindPattern(reader, inner, scope, part.type.startsWith("rest") ? HIDDEN : member(inner.text));
  }
}
