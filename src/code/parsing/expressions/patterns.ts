/** Binds the names of a pattern (`{ a, b: [c] }`) to the parts of a value. */

import { type Expression, TAG } from "../../expression.ts";
import type { NodeTypes } from "../../languages/language.ts";
import type { Node } from "../../syntax/tree.ts";
import { HIDDEN, type Scope } from "./scopes.ts";

/** Binds every name of a pattern to its part of the value. */
export function bindPattern(nodes: NodeTypes, pattern: Node, scope: Scope, whole: () => Expression | undefined): void {
  const { type: kind } = pattern;
  if (nodes.names.has(kind) || nodes.patterns.shorthand.has(kind)) {
    scope.bindValue(pattern.text, whole);
  } else if (nodes.patterns.object.has(kind)) {
    for (const part of pattern.namedChildren) if (part) bindField(nodes, part, scope, whole);
  } else if (nodes.patterns.array.has(kind)) {
    for (const [at, part] of pattern.namedChildren.entries()) {
      if (!part) continue;
      bindPattern(nodes, part, scope, () => {
        const of = whole();
        return of && [TAG.elementAt, of, at];
      });
    }
  } else if (nodes.patterns.around.has(kind)) {
    const inner = pattern.namedChildren[0];
    if (inner) bindPattern(nodes, inner, scope, kind.startsWith("rest") ? HIDDEN : whole);
  }
}

function bindField(nodes: NodeTypes, part: Node, scope: Scope, whole: () => Expression | undefined): void {
  const member = (name: string) => () => {
    const of = whole();
    return of && ([TAG.member, of, name] as const);
  };
  const pair = nodes.patterns.pair[part.type];
  if (pair) {
    const key = part.childForFieldName(pair[0])?.text ?? "";
    const inner = part.childForFieldName(pair[1]);
    if (inner) bindPattern(nodes, inner, scope, member(key));
  } else if (nodes.patterns.shorthand.has(part.type)) {
    bindPattern(nodes, part, scope, member(part.text));
  } else if (nodes.patterns.around.has(part.type)) {
    const inner = part.namedChildren[0];
    if (inner) bindPattern(nodes, inner, scope, part.type.startsWith("rest") ? HIDDEN : member(inner.text));
  }
}
