/** Exports of a file besides its named definitions. */
import { MODULE_VALUE, TAG } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import { Scope } from "../expressions/scopes.ts";
import type { MemberAssignments } from "./ecmascript/member_assignments.ts";
import type { Item } from "./items.ts";
import type { OpenFile } from "./open_file.ts";
import type { References } from "./references.ts";

/** The value that the file returns to those that load it. */
export function addModuleValue(file: OpenFile, name: string): void {
  file.later(() => {
    const value = file.top.value(name);
    if (value) file.facts.exports.push({ name: MODULE_VALUE, value });
  });
}

export function addExport(file: OpenFile, node: Node, references: References): void {
  if (node.childForFieldName("source")) references.skipImport(node);
  file.later(() => file.imports.readExport(node, file.expressions));
}

/** JavaScript: `export default` and a value without a name. */
export function addDefault(file: OpenFile, item: Item, assignments: MemberAssignments): void {
  const value = item.node.childForFieldName("value");
  if (!value) return;
  const slot = file.add(file.typing.isFunction(value) ? "function" : "constant", "default", item.node);
  file.facts.exports.push({ name: "default", value: [TAG.definition, slot] });
  assignments.declared(value, slot, false);
  const scope = new Scope(file.frame.scope);
  file.open({ ...item, node: value }, slot, scope);
  const entity = file.facts.entities[slot];
  if (entity?.kind === "function") file.later(() => file.typing.setReturns(entity, value, scope));
}
