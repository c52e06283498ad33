/**
 * The type arguments of a call: stated ones in Rust and C++, and the type for which a TypeScript list checks its
 * elements.
 */
import { type Expression, TAG } from "../../../expression.ts";
import type { Language } from "../../../languages/language.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Scope } from "../scopes.ts";
import type { TypeReader } from "./type_reader.ts";

/** Methods of lists that keep the elements of a type. */
const SELECTING = /^(?:filter|find|findLast)$/;

interface ValueReader {
  value(node: Node, scope: Scope, depth?: number): Expression | undefined;
}

export function callTypes(
  { family, guardIn }: Language,
  types: TypeReader,
  values: ValueReader,
  call: Node,
  callee: Expression | undefined,
  scope: Scope,
  depth: number,
): (Expression | null)[] {
  if (family === "rust") {
    const generic = call.childForFieldName("function");
    return generic?.type === "generic_function" ? types.arguments(generic, scope, depth) : [];
  }
  if (family === "c") {
    const named = call.childForFieldName("function");
    const generic = named?.type === "field_expression" ? named.childForFieldName("field") : named;
    return /^template_(?:function|method)$/.test(generic?.type ?? "") && generic
      ? types.arguments(generic, scope, depth)
      : [];
  }
  if (!guardIn || callee?.[0] !== TAG.member || !SELECTING.test(callee[2])) return [];
  const fn = call.childForFieldName("arguments")?.namedChildren[0];
  const guard = fn && guardIn(fn);
  if (!guard) return [];
  if ("type" in guard) return [types.read(guard.type, scope, depth + 1) ?? null];
  const by = values.value(guard.by, scope, depth + 1);
  return by ? [[TAG.ofVerdict, by]] : [];
}
