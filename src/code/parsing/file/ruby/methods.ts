/** Methods that Ruby makes for fields and under other names. */

import { type Expression, TAG, tupleOf } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import { statedBeside } from "../../expressions/ruby/comments.ts";
import { givenTo } from "../../expressions/ruby/given.ts";
import type { OpenFile } from "../open_file.ts";

const MAX_DELEGATED = 40;
/** Names of fields: the parts of an object, and a changed copy of it. */
const PARTS = "deconstruct";
const COPY = "with";

/** Ruby: `attr_accessor :x` makes the methods `x` and `x=` for the field `@x`. */
export function addAccessors(file: OpenFile, symbol: Node, stated: Node): void {
  const { scope } = file.frame;
  const { self } = scope;
  if (self < 0) return;
  const name = symbol.text.slice(1);
  const macro =
    stated.type === "call" ? stated : (stated.childForFieldName("right") ?? stated.namedChildren[0] ?? stated);
  const made = macro.childForFieldName("method")?.text ?? "attr_accessor";
  const isWritten = !/reader$|^attr$/.test(made);
  const value: Expression = [TAG.member, [TAG.instance, self], `@${name}`];
  for (const method of [...(made.endsWith("writer") ? [] : [name]), ...(isWritten ? [`${name}=`] : [])]) {
    const entity = file.facts.entities[file.add("method", method, symbol, self)];
    if (!entity) continue;
    entity.signature = `${made} :${name}`;
    if (method !== name) continue;
    entity.returns = value;
    // A comment describes one attribute; what is assigned to it comes first.
    if (givenTo(macro).length > 1) continue;
    file.later(() => {
      const stated = statedBeside(file.expressions, macro, "return", scope);
      if (stated) entity.returns = [TAG.either, value, stated];
    });
  }
  if (/^(?:new|define)$/.test(made)) addMember(file, symbol, macro, self);
}

/** `Struct.new(:a, :b)`: what its instances are made with, and the parts that they are taken apart into. */
function addMember(file: OpenFile, symbol: Node, macro: Node, owner: number): void {
  const { facts, passed } = file;
  const symbols = givenTo(macro).filter(({ type }) => type === "simple_symbol");
  const at = symbols.findIndex(({ id }) => id === symbol.id);
  const name = symbol.text.slice(1);
  file.later(() => {
    for (const value of passed.valuesOfMember(facts.entities[owner]?.name ?? "", at, name).slice(0, 1))
      facts.properties.push({ owner, name: `@${name}`, value });
  });
  if (at > 0) return;
  const self: Expression = [TAG.instance, owner];
  const parts = symbols.map(({ text }): Expression => [TAG.member, self, `@${text.slice(1)}`]);
  facts.properties.push({ owner, name: PARTS, value: tupleOf(parts) }, { owner, name: COPY, value: self });
}

/** `def_delegators :@list, :first, :size`; `delegate :first, to: :list`: methods of another object. */
export function addDelegated(file: OpenFile, call: Node): void {
  const { self } = file.frame.scope;
  const given = givenTo(call);
  const names = given.filter(({ type }) => type === "simple_symbol").map(({ text }) => text.slice(1));
  const to = given.find((each) => each.type === "pair" && each.childForFieldName("key")?.text === "to");
  const method = call.childForFieldName("method")?.text ?? "";
  const target = method === "delegate" ? to?.childForFieldName("value")?.text.replace(/^:/, "") : names.shift();
  if (self < 0 || target === undefined) return;
  const of: Expression = target.startsWith("@")
    ? [TAG.member, [TAG.instance, self], target]
    : [TAG.call, [TAG.member, [TAG.instance, self], target]];
  // `def_delegator :@list, :first, :head` gives the method another name.
  const isRenamed = /^def_(?:instance_)?delegator$/.test(method);
  const pairs = isRenamed ? [[names[1] ?? names[0], names[0]]] : names.map((name) => [name, name]);
  for (const [name, first] of pairs.slice(0, MAX_DELEGATED))
    if (name !== undefined && first !== undefined)
      file.facts.properties.push({ owner: self, name, value: [TAG.member, of, first] });
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
