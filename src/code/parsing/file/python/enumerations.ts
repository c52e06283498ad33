import { EACH, TAG } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { OpenFile } from "../open_file.ts";

const ENUMERATION = /^(?:\w+\.)*\w*(?:Enum|Flag|Choices)$/;
const MAX_BASE_CHARS = 60;

/** Python: adds a name that is assigned in an `Enum` class as an instance of the class. Returns whether it is one. */
export function addEnumerated(file: OpenFile, assignment: Node, name: string): boolean {
  const { slot } = file.frame;
  const statement = assignment.parent;
  const body = statement?.type === "expression_statement" ? statement.parent : null;
  if (body?.parent?.type !== "class_definition" || assignment.childForFieldName("type") || /^_/.test(name))
    return false;
  const bases = body.parent.childForFieldName("superclasses")?.namedChildren ?? [];
  const isOne = bases.some((base) => base.endIndex - base.startIndex <= MAX_BASE_CHARS && ENUMERATION.test(base.text));
  if (!isOne) return false;
  const value = [TAG.instance, slot] as const;
  const isFirst = statement?.previousNamedSibling?.type !== "expression_statement";
  if (isFirst) file.facts.properties.push({ owner: slot, name: EACH, value });
  file.facts.properties.push({ owner: slot, name, value });
  return true;
}
