/** Calls whose result may be their argument, or the result of their closure. */
import { type Expression, hasAtMost, TAG } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import { bindPattern, type PatternReader } from "./patterns.ts";
import { Scope } from "./scopes.ts";

/** A closure may repeat the expression it is applied to: a chain of them would double at each step. */
const MAX_CLOSURE_PARTS = 60;

interface ValueReader extends PatternReader {
  value(node: Node, scope: Scope, depth?: number): Expression | undefined;
  type(node: Node, scope: Scope, depth?: number): Expression | undefined;
}

/** Undefined for other calls. */
export function givenBack(
  reader: ValueReader,
  node: Node,
  called: Expression,
  scope: Scope,
  depth: number,
): Expression | undefined {
  const { callForms, libraryCall } = reader.language;
  const argument = callForms?.passedOn(node);
  const passed = argument
    ? reader.value(argument, scope, depth + 1)
    : libraryCall?.(node, {
        value: (each) => reader.value(each, scope, depth + 1),
        type: (each) => reader.type(each, scope, depth + 1),
      });
  if (passed) return [TAG.passedOn, called, passed];
  const closure = callForms?.makingClosure(node);
  const body = closure?.childForFieldName("body");
  if (!closure || !body || called[0] !== TAG.call) return undefined;
  const inner = new Scope(scope);
  for (const [at, pattern] of (closure.childForFieldName("parameters")?.namedChildren ?? []).entries()) {
    const type = pattern.childForFieldName("type");
    const name = pattern.childForFieldName("pattern") ?? pattern;
    bindPattern(reader, name, inner, () =>
      type ? reader.type(type, scope) : [TAG.callbackParameter, called[1], 0, at],
    );
  }
  const made = reader.value(body, inner, depth + 1);
  return made && hasAtMost(made, MAX_CLOSURE_PARTS) ? [TAG.mapped, called, made] : undefined;
}
