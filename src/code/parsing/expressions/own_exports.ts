/** JavaScript: a module that uses its own exports, `exports.run()`. */
import type { Expression } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import { exportedName, type Scope } from "./scopes.ts";

const EXPORTS = "exports";
const MODULE_EXPORTS = "module.exports";

/** The export of this file that a member of `exports` or `module.exports` is. */
export function ownExport(object: Node, member: string, scope: Scope): Expression | undefined {
  const chars = object.endIndex - object.startIndex;
  if (chars !== EXPORTS.length && chars !== MODULE_EXPORTS.length) return undefined;
  const { text } = object;
  const name = exportedName(member);
  if ((text !== EXPORTS && text !== MODULE_EXPORTS) || !scope.top.isBound(name) || scope.isBound(EXPORTS))
    return undefined;
  return scope.top.value(name);
}
