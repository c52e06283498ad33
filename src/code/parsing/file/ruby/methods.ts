/** Methods that Ruby makes for fields and under other names. */

import { type Expression, TAG } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { OpenFile } from "../open_file.ts";

/** Ruby: `attr_accessor :x` makes the methods `x` and `x=` for the field `@x`. */
export function addAccessors(file: OpenFile, symbol: Node, macro: Node): void {
  const { self } = file.frame.scope;
  if (self < 0) return;
  const name = symbol.text.slice(1);
  const made = macro.childForFieldName("method")?.text ?? "attr_accessor";
  const isWritten = !/reader$|^attr$/.test(made);
  const value: Expression = [TAG.member, [TAG.instance, self], `@${name}`];
  for (const method of [...(made.endsWith("writer") ? [] : [name]), ...(isWritten ? [`${name}=`] : [])]) {
    const entity = file.facts.entities[file.add("method", method, symbol, self)];
    if (!entity) continue;
    entity.signature = `${made} :${name}`;
    if (method === name) entity.returns = value;
  }
}

/** Ruby: `alias b a`. */
export function addSecondName(file: OpenFile, given: Node, of: Node): void {
  const { self } = file.frame.scope;
  const [name, first] = [given, of].map(({ text }) => text.replace(/^:/, ""));
  if (self >= 0 && name !== undefined && first !== undefined && name !== first)
    file.facts.properties.push({ owner: self, name, value: [TAG.member, [TAG.instance, self], first] });
}

/** `def self.x`, and methods inside `class << self`. */
export function isOfClass(method: Node): boolean {
  if (method.type === "singleton_method") return true;
  let at = method.parent;
  while (at && at.type !== "class" && at.type !== "module" && at.type !== "singleton_class") at = at.parent;
  return at?.type === "singleton_class";
}
