/**
 * Functions of objects in place. Those of an object that a function returns, or that a variable or field holds, are
 * definitions below the definition around them; in all of them, `this` is the object.
 */
import { UNKNOWN } from "../../../expression.ts";
import { returnsSameObject } from "../../../languages/ecmascript/library_calls.ts";
import type { Node } from "../../../syntax/tree.ts";
import { hasMoreMembers } from "../../expressions/ecmascript/objects.ts";
import { Scope } from "../../expressions/scopes.ts";
import { MAX_NAME_CHARS } from "../definitions/definitions.ts";
import type { Item } from "../items.ts";
import type { OpenFile } from "../open_file.ts";
import { addBelow } from "./inline_members.ts";

/** Objects with more members are tables of data: the values of their members are not read either. */
const MAX_MEMBERS = 24;
const MAX_STEPS = 24;

const AROUND = /^(?:parenthesized|as|satisfies|ternary|binary)_expression$/;
const PRIVATE = "private_property_identifier";
/** Hold the object under a name. */
const NAME_FIELDS: Readonly<Record<string, string>> = {
  variable_declarator: "name",
  public_field_definition: "name",
  field_definition: "property",
  assignment_expression: "left",
};

/** Defines the function and opens it; false if its object is passed to a call, or belongs to a test. */
export function addObjectMember(file: OpenFile, item: Item, name: Node): boolean {
  const { node } = item;
  const { shapes } = file.expressions;
  if (!shapes || file.isTest || name.type !== "property_identifier" || isAccessor(node)) return false;
  const around = namesAround(file, node);
  if (!around) return false;
  const added = addBelow(file, node, name.text, [...around, shortName(name)]);
  if (!added) return false;
  const { slot, entity } = added;
  const fn = functionOf(node);
  shapes.define(fn, slot);
  const scope = objectMemberScope(file, node);
  addStated(file, slot, node);
  file.open(item, slot, scope);
  file.later(() => file.typing.setReturns(entity, fn, scope));
  return true;
}

/** The function implements the member that the type of its object states, like a method of a class. */
export function addStated(file: OpenFile, slot: number, member: Node): void {
  const { scope } = file.frame;
  file.later(() => {
    const target = file.expressions.contexts?.member(functionOf(member), scope);
    const line = member.startPosition.row + 1;
    if (target) file.facts.bases.push({ slot, kind: "implements", line, target });
  });
}

/** A method of an object may be a pair of its name and a function. */
export function functionOf(member: Node): Node {
  return (member.type === "pair" ? member.childForFieldName("value") : null) ?? member;
}

/** The scope of a function that is a member of an object in place: `this` is the object, not the class around it. */
export function objectMemberScope(file: OpenFile, member: Node): Scope {
  const { scope: outer } = file.frame;
  const keepsSelf = functionOf(member).type === "arrow_function";
  if (file.language.family !== "ecmascript" || member.parent?.type !== "object" || keepsSelf) return new Scope(outer);
  const scope = new Scope(outer, -1);
  scope.selfMeaning = () => file.expressions.contexts?.self(member, outer) ?? UNKNOWN;
  return scope;
}

function shortName({ text }: Node): string {
  return text.slice(0, MAX_NAME_CHARS);
}

/** A function that a read or an assignment calls. */
function isAccessor(member: Node): boolean {
  return member.type === "method_definition" && member.children.some(({ type }) => type === "get" || type === "set");
}

/** Whether the value of a node is that of the object in it. */
function isAround(node: Node): boolean {
  const callee = (node.type === "arguments" ? node.parent : node)?.childForFieldName("function");
  return AROUND.test(node.type) || (callee?.id !== undefined && returnsSameObject(callee));
}

/** The names of the values around the function, the outermost first; undefined if it is in no such object. */
function namesAround(file: OpenFile, member: Node): string[] | undefined {
  const found: string[] = [];
  let object = member.parent;
  for (let steps = 0; object?.type === "object" && steps < MAX_STEPS; steps += 1) {
    if (hasMoreMembers(object, MAX_MEMBERS)) return undefined;
    let [value, holder] = [object, object.parent];
    while (holder && isAround(holder)) [value, holder] = [holder, holder.parent];
    if (!holder) return undefined;
    const is = (field: string) => holder.childForFieldName(field)?.id === value.id;
    if (holder.type === "return_statement" || (holder.type === "arrow_function" && is("body"))) return found.reverse();
    // `export default { … }`
    if (holder.type === "export_statement" && found.length > 0) return found.reverse();
    if (holder.type === "pair") {
      const key = holder.childForFieldName("key");
      if (key?.type !== "property_identifier") return undefined;
      found.push(shortName(key));
      object = holder.parent;
      continue;
    }
    const field = NAME_FIELDS[holder.type];
    const name = field === undefined ? null : holder.childForFieldName(field);
    const last = name?.type === "member_expression" ? name.childForFieldName("property") : name;
    if (!last || !(file.language.nodes.names.has(last.type) || last.type === PRIVATE)) return undefined;
    // The definition around the function may be the constant itself.
    return (holder.id === file.frame.node ? found : [...found, shortName(last)]).reverse();
  }
  return undefined;
}
