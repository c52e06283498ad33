/** Functions of objects that are no definitions: what `this` is in them. */
import { UNKNOWN } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import { Scope } from "../../expressions/scopes.ts";
import type { OpenFile } from "../open_file.ts";

/** The scope of a function that is a member of an object in place: `this` is the object, not the class around it. */
export function objectMemberScope(file: OpenFile, member: Node): Scope {
  const { scope: outer } = file.frame;
  const keepsSelf = member.type === "pair" && member.childForFieldName("value")?.type === "arrow_function";
  if (file.language.family !== "ecmascript" || member.parent?.type !== "object" || keepsSelf) return new Scope(outer);
  const scope = new Scope(outer, -1);
  scope.selfMeaning = () => file.expressions.selfInObject(member, outer) ?? UNKNOWN;
  return scope;
}
