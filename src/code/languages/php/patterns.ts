/** PHP: lists of variables that are assigned at once, `[$a, $b]`, `['key' => $a]`, `list($a)`. */
import { TAG } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { PatternPart } from "../language.ts";

/** Undefined for other nodes. */
export function readPhpPattern(node: Node): PatternPart[] | undefined {
  if (node.type !== "list_literal") return undefined;
  const parts: PatternPart[] = [];
  let at = 0;
  let isKeyed = false;
  for (const child of node.children) {
    const isVariable = child.previousSibling?.type === "variable_name";
    if (child.type === ",") {
      at += 1;
      isKeyed = false;
    } else if (child.type === "=>") {
      // The variable before it, if there is one, is the key.
      if (isVariable) parts.pop();
      isKeyed = true;
    } else if (child.type === "variable_name" || child.type === "list_literal") {
      const position = at;
      const keyed = isKeyed;
      parts.push({
        pattern: child,
        value: (whole) => whole && (keyed ? [TAG.call, [TAG.member, whole, "[]"]] : [TAG.elementAt, whole, position]),
      });
    }
  }
  return parts;
}
