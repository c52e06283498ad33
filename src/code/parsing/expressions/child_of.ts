import type { Node } from "../../syntax/tree.ts";

/** A child by its field; by its index in grammars without that field. */
export function childOf(node: Node, field: string, index: number): Node | null {
  return field === "" ? (node.namedChildren.at(index) ?? null) : node.childForFieldName(field);
}
