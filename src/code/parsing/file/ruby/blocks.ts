/**
 * Ruby: the `self` of a block. It is that of the surrounding code, unless the called method runs the block on another
 * object.
 */

import { BLOCK, BLOCK_SELF, type Expression, firstKnown, TAG, UNKNOWN } from "../../../expression.ts";
import { baseOfNew, makesType } from "../../../languages/ruby/calls.ts";
import type { Node } from "../../../syntax/tree.ts";
import { noteBlock } from "../../expressions/ruby/blocks.ts";
import { Scope } from "../../expressions/scopes.ts";
import type { OpenFile } from "../open_file.ts";
import { bindDescribed } from "./specs.ts";

/** Methods that run a block with their receiver as `self`. */
const RUNS_AS_OWN = /^(instance|class|module)_(eval|exec)$/;
/** Methods that make a method of a block. */
const DEFINES = /^define_(singleton_)?method$/;

/** The most common methods of the library that are given a block: they leave `self` as it is. */
const RUNS_PLAINLY =
  /^(each(_\w+)?|(flat_|filter_)?map!?|collect!?|select!?|filter!?|reject!?|find(_all|_index)?|detect|inject|reduce|sum|times|(up|down)to|step|loop|tap|then|(sort|group|max|min|uniq)(_by)?!?|partition|(any|all|none|one)\?|delete_if|fetch|gsub!?|sub!?|open|synchronize|catch|lambda|proc|at_exit|zip|count|index|with_(index|object)|transform_(keys|values)|cycle|scan|chunk)$/;

/** A method that also calls its block in the usual way does so for blocks with parameters. */
const CALLS_BLOCK = /\byield\b|\.(call|arity)\b/;

/** The scope of a block or function. Ruby: another object may run a block as its own. */
export function blockScope(file: OpenFile, block: Node): Scope {
  const outer = file.frame.scope;
  const scope = new Scope(outer);
  const call = block.parent;
  if (file.language.family === "ruby") noteBlock(block, scope);
  if (file.language.family !== "ruby" || call?.type !== "call") return scope;
  const receiver = call.childForFieldName("receiver");
  const method = call.childForFieldName("method")?.text ?? "";
  bindDescribed(file, call, scope);
  if (!block.childForFieldName("parameters") && /^(?:do_)?block$/.test(block.type)) bindUnnamed(file, block, scope);
  if (receiver && RUNS_AS_OWN.test(method)) {
    scope.selfMeaning = () => file.expressions.value(receiver, outer) ?? UNKNOWN;
    scope.otherSelf = undefined;
  } else if (makesType(call)) {
    const isNamed = call.parent?.type === "assignment" && call.parent.childForFieldName("left")?.type === "constant";
    if (isNamed) return scope;
    scope.selfMeaning = () => (baseOfNew(call) && file.expressions.value(call, outer)) ?? UNKNOWN;
    scope.otherSelf = undefined;
  } else if (!RUNS_PLAINLY.test(method)) {
    const form = block.childForFieldName("parameters") ? 1 : 0;
    scope.otherSelf = () => {
      const called = file.expressions.value(call, outer);
      const around = outer.otherSelf?.() ?? outer.selfMeaning?.();
      const own: Expression | undefined =
        called?.[0] === TAG.call ? [TAG.callbackParameter, called[1], BLOCK_SELF, form] : undefined;
      return own && around ? [TAG.either, own, around] : (own ?? around);
    };
  }
  return scope;
}

/** `it` and `_1` in a block without parameters. */
function bindUnnamed(file: OpenFile, block: Node, scope: Scope): void {
  const outer = file.frame.scope;
  for (const name of ["it", "_1"])
    scope.bindValue(name, () => firstKnown([file.expressions.callbackParameter(block, 0, outer)], name));
}

/** A method runs its block as another object, or passes it on to a method that may: `other.instance_eval(&block)`. */
export function noteBlockSelf(file: OpenFile, call: Node): void {
  const passed = call.childForFieldName("arguments")?.namedChildren.at(-1);
  const inner = file.stack.findLast((frame) => frame.slot >= 0);
  const entity = file.facts.entities[inner?.slot ?? -1];
  if (passed?.type !== "block_argument" || passed.namedChildren[0]?.type !== "identifier" || !entity) return;
  const method = call.childForFieldName("method")?.text ?? "";
  const { scope } = file.frame;
  if (isOwnBlock(file, passed)) {
    file.later(() => {
      const called = entity.takes?.[BLOCK] ? undefined : file.expressions.value(call, scope);
      if (called?.[0] === TAG.call)
        entity.takes = { ...entity.takes, [BLOCK]: [[TAG.callbackParameter, called[1], BLOCK, 0]] };
    });
  }
  if (RUNS_PLAINLY.test(method)) return;
  const receiver = call.childForFieldName("receiver");
  const makes = makesType(call);
  const isOwn = makes || RUNS_AS_OWN.test(method) || DEFINES.test(method);
  const isAlsoCalled = isOwn && method.endsWith("eval") && CALLS_BLOCK.test(methodAround(call)?.text ?? "");
  file.later(() => {
    if (entity.takes?.[BLOCK_SELF] && !isOwn) return;
    if (isOwn) {
      const runner = makes ? undefined : receiver ? file.expressions.value(receiver, scope) : scope.instance();
      const self = runner ?? UNKNOWN;
      entity.takes = { ...entity.takes, [BLOCK_SELF]: isAlsoCalled ? [self] : [self, self] };
      return;
    }
    const called = file.expressions.value(call, scope);
    if (called?.[0] !== TAG.call) return;
    const self = [0, 1].map((form): Expression => [TAG.callbackParameter, called[1], BLOCK_SELF, form]);
    entity.takes = { ...entity.takes, [BLOCK_SELF]: self };
  });
}

/** Whether a call passes on the block that the method around it is given. */
function isOwnBlock({ frame }: OpenFile, passed: Node): boolean {
  const method = methodAround(passed);
  const last = method?.childForFieldName("parameters")?.namedChildren.at(-1);
  const name = last?.type === "block_parameter" ? last.childForFieldName("name")?.text : undefined;
  return frame.slot >= 0 && name !== undefined && name === passed.namedChildren[0]?.text;
}

function methodAround(node: Node): Node | null {
  let at: Node | null = node;
  while (at && at.type !== "method" && at.type !== "singleton_method") at = at.parent;
  return at;
}
