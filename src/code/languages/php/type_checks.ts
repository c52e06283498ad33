/** PHP: calls that return only if a value is of a type. */
import type { Node } from "../../syntax/tree.ts";
import type { TypeCheck } from "../language.ts";
import { instanceofChecks } from "../type_checks.ts";

const ASSERT = /^\\?assert$/;
/** Functions of the usual libraries that take the class and the value, in either order. */
const INSTANCE = /^(?:assert|is)InstanceOf$/;
const MAX_NAME_CHARS = 40;

/** `assert($x instanceof Item);`, `Assert::isInstanceOf($x, Item::class);`. */
export function assertedChecks(call: Node): TypeCheck[] {
  const name = call.childForFieldName("function") ?? call.childForFieldName("name");
  if (!name || name.endIndex - name.startIndex > MAX_NAME_CHARS) return [];
  const given = (call.childForFieldName("arguments")?.namedChildren ?? []).map(({ namedChildren }) => namedChildren[0]);
  const [first, second] = given;
  if (!first) return [];
  if (call.type === "function_call_expression") return ASSERT.test(name.text) ? instanceofChecks(first) : [];
  if (!second || !INSTANCE.test(name.text)) return [];
  const [type, of] = classIn(first) ? [classIn(first), second] : [classIn(second), first];
  return type ? [{ of, types: [type] }] : [];
}

/** `Item` in `Item::class`. */
function classIn(node: Node): Node | undefined {
  const [type, name] = node.type === "class_constant_access_expression" ? node.namedChildren : [];
  return name?.text === "class" ? type : undefined;
}
