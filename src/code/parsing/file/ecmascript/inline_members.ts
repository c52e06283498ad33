/**
 * Members of object types that have no name, such as the type of a parameter: those that are functions become definitions of
 * their own, below the definition around the type.
 */
import type { EntityFact } from "../../../facts.ts";
import type { Node } from "../../../syntax/tree.ts";
import { Scope } from "../../expressions/scopes.ts";
import type { Item } from "../items.ts";
import type { OpenFile } from "../open_file.ts";

/** Types inside types, and objects inside objects …: deeper ones have no definitions. */
const MAX_NAMES = 12;
const MAX_STEPS = 24;

/** Have the name of the value whose type they state. */
const NAMED =
  /^(property_signature|public_field_definition|required_parameter|optional_parameter|variable_declarator)$/;

/** Defines the member and opens it; false if it is not a function, or not in such a type. */
export function addInlineMember(file: OpenFile, item: Item, name: Node): boolean {
  const { node } = item;
  const { records, functions } = file.language.nodes.types;
  const { shapes } = file.expressions;
  const type = node.type === "method_signature" ? node : node.childForFieldName("type")?.namedChildren[0];
  const isFunction = type && (type === node || functions.has(type.type));
  if (!shapes || !isFunction || !records.has(node.parent?.type ?? "")) return false;
  const added = addBelow(file, node, name.text, [...namesAround(file, node), name.text]);
  if (!added) return false;
  shapes.define(node, added.slot);
  const scope = new Scope(file.frame.scope);
  file.open(item, added.slot, scope);
  file.later(() => file.typing.setReturns(added.entity, type, scope));
  return true;
}

/**
 * Adds a member of something without a name below the definition around it; undefined if it is nested too deeply. `names`:
 * those of the values between the two, and its own.
 */
export function addBelow(
  file: OpenFile,
  node: Node,
  name: string,
  names: readonly string[],
): { slot: number; entity: EntityFact } | undefined {
  const owner = file.facts.entities[file.frame.slot]?.qualified?.split(".") ?? [];
  if (owner.length + names.length > MAX_NAMES) return undefined;
  const slot = file.add("method", name, node);
  const entity = file.facts.entities[slot];
  if (!entity) return undefined;
  entity.qualified = [...owner, ...names].join(".");
  entity.isInline = true;
  return { slot, entity };
}

/** The names of the values between the definition around the member and the member, the outermost first. */
function namesAround(file: OpenFile, member: Node): string[] {
  const { names } = file.language.nodes;
  const found: string[] = [];
  let at = member.parent;
  for (let steps = 0; at && at.id !== file.frame.node && steps < MAX_STEPS; steps += 1) {
    const name = NAMED.test(at.type) ? (at.childForFieldName("name") ?? at.childForFieldName("pattern")) : null;
    if (name && names.has(name.type)) found.push(name.text);
    at = at.parent;
  }
  return found.reverse();
}
