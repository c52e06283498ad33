/** JavaScript: methods of a class itself, in which `this` is the class. */
import { TAG } from "../../../expression.ts";
import type { EntityFact } from "../../../facts.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Scope } from "../../expressions/scopes.ts";

/** `scope`: that of the method. */
export function markStatic(entity: EntityFact, method: Node, scope: Scope): void {
  if (!entity.signature.includes("static ") || !method.children.some(({ type }) => type === "static")) return;
  entity.ofClass = true;
  if (scope.self >= 0) scope.selfMeaning = () => [TAG.definition, scope.self];
}
