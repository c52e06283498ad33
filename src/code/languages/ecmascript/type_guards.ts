/** TypeScript: functions that check the type of their argument, `isItem(x: unknown): x is Item`. */
import type { Node } from "../../syntax/tree.ts";
import type { TypeCheck } from "../language.ts";
import { instanceofChecks, partsOf } from "../type_checks.ts";

/** Any function may be one, but hardly any has another name, and reading each condition as a check takes time. */
const CHECKING = /^[$_]*(?:is|has)(?![a-z])/;
const MAX_NAME_CHARS = 80;

/** `x instanceof T`, and `isItem(x)`. */
export function typeChecks(condition: Node): TypeCheck[] {
  return [...instanceofChecks(condition), ...partsOf(condition).flatMap((part) => guardOf(part) ?? [])];
}

function guardOf(call: Node): TypeCheck | undefined {
  if (call.type !== "call_expression") return undefined;
  const by = call.childForFieldName("function");
  const name = by?.type === "member_expression" ? by.childForFieldName("property") : by;
  const of = call.childForFieldName("arguments")?.namedChildren[0];
  if (!by || !of || !name || name.endIndex - name.startIndex > MAX_NAME_CHARS || !CHECKING.test(name.text))
    return undefined;
  return { of, types: [], by };
}

/** `Item` in the stated result `x is Item`. */
export function readVerdict(stated: Node): Node | undefined {
  if (stated.type !== "type_predicate_annotation") return undefined;
  return stated.namedChildren[0]?.childForFieldName("type") ?? undefined;
}
