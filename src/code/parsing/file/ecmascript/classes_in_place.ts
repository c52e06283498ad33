/**
 * JavaScript: class expressions. A class gets the name of the variable that holds it, or else its own, or that of the
 * member it is assigned to; `default` and `class` name the others.
 */
import type { Node } from "../../../syntax/tree.ts";
import { MAX_NAME_CHARS } from "../definitions/definitions.ts";
import type { OpenFile } from "../open_file.ts";
import { memberTarget } from "./member_target.ts";

/** The node with the name; undefined for a class that only has its own, or that is passed to a call without one. */
export function nameInPlace(node: Node): Node | undefined {
  const { parent } = node;
  if (isHeldClass(node)) return parent?.childForFieldName("name") ?? undefined;
  if (node.childForFieldName("name") || parent?.type === "arguments") return undefined;
  const holder = parent?.type === "export_statement" ? parent : node;
  return holder.children.find(({ type }) => type === "default" || type === "class");
}

/** `const Item = class { … }`. */
export function isHeldClass(value: Node | null): boolean {
  const holder = value?.type === "class" ? value.parent : null;
  return holder?.type === "variable_declarator" && holder.childForFieldName("name")?.type === "identifier";
}

/** The class that has just been opened: its text does not say the name of the variable, and its own name is known in it. */
export function nameHeld(file: OpenFile, node: Node): void {
  const { slot, scope } = file.frame;
  const entity = file.facts.entities[slot];
  const left = node.parent?.type === "assignment_expression" ? node.parent.childForFieldName("left") : null;
  const target = left && memberTarget(left);
  if (entity && target && !node.childForFieldName("name")) {
    const name = target.kind === "module" ? "default" : (target.name ?? entity.name).slice(0, MAX_NAME_CHARS);
    entity.qualified = `${entity.qualified.slice(0, -entity.name.length)}${name}`;
    entity.name = name;
  }
  if (!entity || !isHeldClass(node)) return;
  entity.signature = `${entity.name} = ${entity.signature}`;
  const own = node.childForFieldName("name")?.text.slice(0, MAX_NAME_CHARS);
  if (own !== undefined && own !== entity.name) file.bindDefinition(scope, "class", own, slot);
}
