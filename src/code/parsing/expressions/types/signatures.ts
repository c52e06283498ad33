/** Python: the types of a function's parameters, if a call can determine something by them. */
import { type Expression, type FunctionType, TAG } from "../../../expression.ts";
import type { EntityFact } from "../../../facts.ts";
import type { Node } from "../../../syntax/tree.ts";

const MAX_PARAMETERS = 12;
const TYPED = /^typed_(default_)?parameter$/;

/** Undefined if no parameter is a function, and none has a type that a call tells. */
export function pythonSignature(
  entity: EntityFact,
  fn: Node,
  read: (type: Node) => Expression | undefined,
): FunctionType | undefined {
  const list = fn.childForFieldName("parameters");
  if (!list || !mayTell(entity, list)) return undefined;
  const isBound = entity.kind === "method" && !/@staticmethod\b/.test(entity.signature);
  const all = list.namedChildren.filter(({ type }) => type !== "comment").slice(0, MAX_PARAMETERS);
  const parameters = (isBound ? all.slice(1) : all).map((each) => {
    const type = TYPED.test(each.type) ? each.childForFieldName("type") : null;
    return (type && read(type)) ?? null;
  });
  return parameters.some(tells) ? [TAG.functionType, parameters, null, null] : undefined;
}

function mayTell(entity: EntityFact, list: Node): boolean {
  return entity.name === "__init__" || tells(entity.returns) || list.text.includes("Callable");
}

/** Whether a function type or a type parameter is part of it. */
function tells(part: unknown): boolean {
  if (!Array.isArray(part)) return false;
  return part[0] === TAG.functionType || part[0] === TAG.parameter || part.some(tells);
}
