/** The function or method that a call names. */
import { type Expression, TAG, UNKNOWN, unknownNamed } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import { MAX_NAME_CHARS } from "../../file/definitions/definitions.ts";
import { childOf } from "../child_of.ts";
import { methodNamed } from "../names.ts";
import type { Scope } from "../scopes.ts";
import type { ValueReader } from "./given_back.ts";

const VARIABLE = /^(identifier|variable_name)$/;

type CalleeReader = Pick<ValueReader, "language" | "value">;

/** `fields`: that of the function, or those of the receiver and the name of the method. */
export function calleeOf(
  reader: CalleeReader,
  call: Node,
  fields: string | readonly [string, string],
  scope: Scope,
  depth: number,
): Expression | undefined {
  if (typeof fields === "string") {
    const named = childOf(call, fields, 0);
    return named ? calledValue(reader, call, named, scope, depth) : undefined;
  }
  const receiver = call.childForFieldName(fields[0]);
  const name = call.childForFieldName(fields[1])?.text;
  if (name === undefined || name.length > MAX_NAME_CHARS) return undefined;
  if (!receiver) return methodNamed(reader.language, name, scope);
  const unknown = VARIABLE.test(receiver.type) ? unknownNamed(receiver.text) : UNKNOWN;
  return [TAG.member, reader.value(receiver, scope, depth + 1) ?? unknown, name];
}

/** The function; or the method of the call's first argument. */
export function calledValue(
  reader: CalleeReader,
  call: Node,
  callee: Node,
  scope: Scope,
  depth = 0,
): Expression | undefined {
  const named = reader.value(callee, scope, depth + 1);
  const self = named && reader.language.callForms?.selfArgument?.(call);
  const of = self && reader.value(self.argument, scope, depth + 1);
  return named && of ? [TAG.either, named, [TAG.member, of, self.method]] : named;
}
