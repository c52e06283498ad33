import { TAG } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Scope } from "../../expressions/scopes.ts";
import { commentBefore } from "../../expressions/types/documented_types.ts";

const TEMPLATE = /@(?:phpstan-|psalm-)?template(?:-covariant|-contravariant)?[ \t]{1,20}(\w{1,60})/g;
const MAX_TEMPLATES = 6;

/** PHP: `@template T` before a class names a type that the arguments of the class tell. */
export function bindTemplates(node: Node, scope: Scope): void {
  const comment = commentBefore(node);
  if (comment === undefined || !comment.includes("template")) return;
  const names = [...comment.matchAll(TEMPLATE)].slice(0, MAX_TEMPLATES);
  for (const [at, [, name = ""]] of names.entries()) scope.bindType(name, () => [TAG.parameter, at, null]);
}
