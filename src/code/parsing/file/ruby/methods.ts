/** Methods that Ruby makes for fields and under other names, and blocks that another object runs as its own. */

import { BLOCK_SELF, type Expression, TAG } from "../../../expression.ts";
import { baseOfNew } from "../../../languages/ruby/calls.ts";
import type { Node } from "../../../syntax/tree.ts";
import { Scope } from "../../expressions/scopes.ts";
import type { OpenFile } from "../open_file.ts";
import { bindDescribed } from "./specs.ts";

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

/** Methods that run a block with their receiver as `self`. */
const RUNS_AS_OWN = /^(instance|class|module)_(eval|exec)$/;

/** The most common methods of the library that are given a block: they leave `self` as it is. */
const RUNS_PLAINLY =
  /^(each(_\w+)?|(flat_|filter_)?map!?|collect!?|select!?|filter!?|reject!?|find(_all|_index)?|detect|inject|reduce|sum|times|(up|down)to|step|loop|tap|then|(sort|group|max|min|uniq)(_by)?!?|partition|(any|all|none|one)\?|delete_if|fetch|gsub!?|sub!?|open|synchronize|catch|lambda|proc|at_exit|zip|count|index|with_(index|object)|transform_(keys|values)|cycle|scan|chunk|new)$/;

/** The scope of a block or function. Ruby: another object may run a block as its own. */
export function blockScope(file: OpenFile, block: Node): Scope {
  const outer = file.frame.scope;
  const scope = new Scope(outer);
  const call = block.parent;
  if (file.language.family !== "ruby" || call?.type !== "call") return scope;
  const receiver = call.childForFieldName("receiver");
  const method = call.childForFieldName("method")?.text ?? "";
  bindDescribed(file, call, scope);
  if (receiver && RUNS_AS_OWN.test(method)) {
    scope.selfMeaning = () => file.expressions.value(receiver, outer);
  } else if (baseOfNew(call)) {
    scope.selfMeaning = () => file.expressions.value(call, outer);
  } else if (!RUNS_PLAINLY.test(method)) {
    scope.otherSelf = () => {
      const called = file.expressions.value(call, outer);
      const around = outer.otherSelf?.();
      const own: Expression | undefined =
        called?.[0] === TAG.call ? [TAG.callbackParameter, called[1], BLOCK_SELF, 0] : undefined;
      return own && around ? [TAG.either, own, around] : (own ?? around);
    };
  }
  return scope;
}

/** `other.instance_eval(&block)`: the method around it runs its block as another object. */
export function noteBlockSelf(file: OpenFile, call: Node): void {
  if (!RUNS_AS_OWN.test(call.childForFieldName("method")?.text ?? "")) return;
  const passed = call.childForFieldName("arguments")?.namedChildren.at(-1);
  const inner = file.stack.findLast((frame) => frame.slot >= 0);
  const entity = file.facts.entities[inner?.slot ?? -1];
  if (passed?.type !== "block_argument" || !entity) return;
  const { scope } = file.frame;
  const receiver = call.childForFieldName("receiver");
  file.later(() => {
    const self = receiver ? file.expressions.value(receiver, scope) : scope.instance();
    if (self) entity.takes = { ...entity.takes, [BLOCK_SELF]: [self] };
  });
}

/** `def self.x`, and methods inside `class << self`. */
export function isOfClass(method: Node): boolean {
  if (method.type === "singleton_method") return true;
  let at = method.parent;
  while (at && at.type !== "class" && at.type !== "module" && at.type !== "singleton_class") at = at.parent;
  return at?.type === "singleton_class";
}
