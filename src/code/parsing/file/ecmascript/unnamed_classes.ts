/** JavaScript: a class without a name has that of the variable that holds it; `default` and `class` name others. */

import type { Node } from "../../../syntax/tree.ts";
import { MAX_NAME_CHARS } from "../definitions.ts";
import type { OpenFile } from "../open_file.ts";

/** The node with the name; undefined for a class that has its own. */
export function nameOfUnnamed(node: Node): Node | undefined {
  const { parent } = node;
  if (node.childForFieldName("name")) return undefined;
  if (isHeld(node)) return parent?.childForFieldName("name") ?? undefined;
  const holder = parent?.type === "export_statement" ? parent : node;
  return holder.children.find(({ type }) => type === "default" || type === "class");
}

/** The class that has just been opened: its own text does not say its name. */
export function signUnnamed(file: OpenFile, { type, text }: Node): void {
  const entity = file.facts.entities[file.frame.slot];
  if (entity && type === "identifier") entity.signature = `${text.slice(0, MAX_NAME_CHARS)} = ${entity.signature}`;
}

/** `const Item = class { … }`. */
export function isUnnamedClass(value: Node | null): boolean {
  return value?.type === "class" && !value.childForFieldName("name") && isHeld(value);
}

function isHeld({ parent }: Node): boolean {
  return parent?.type === "variable_declarator" && parent.childForFieldName("name")?.type === "identifier";
}
