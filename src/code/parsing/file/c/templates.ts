/** C++: the type parameters of templates, which stand for the arguments of the class, or for those that a call states. */
import { OWN_PARAMETERS, TAG } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Scope } from "../../expressions/scopes.ts";
import type { OpenFile } from "../open_file.ts";

const MAX_PARAMETERS = 8;
const TYPE = /^(?:optional_|variadic_)?type_parameter_declaration$/;

export function bindTemplate(file: OpenFile, template: Node, scope: Scope, isType: boolean): void {
  if (file.language.family !== "c") return;
  const list = template.childForFieldName("parameters")?.namedChildren ?? [];
  for (const [at, parameter] of list.slice(0, MAX_PARAMETERS).entries()) {
    const name = TYPE.test(parameter.type) ? parameter.namedChildren[0]?.text : undefined;
    if (name !== undefined) scope.bindType(name, () => [TAG.parameter, isType ? at : OWN_PARAMETERS + at, null]);
  }
}
