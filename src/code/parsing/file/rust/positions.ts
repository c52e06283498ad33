/** Rust: the name of a field without one is its position, after the form of the enumeration that it is in. */
import type { Node } from "../../../syntax/tree.ts";

export function positionName(type: Node): string {
  const list = type.parent;
  const at = list?.childrenForFieldName("type").findIndex(({ id }) => id === type.id) ?? -1;
  const form = list?.parent?.type === "enum_variant" ? list.parent.childForFieldName("name")?.text : undefined;
  return form === undefined ? String(at) : `${form}.${at}`;
}
