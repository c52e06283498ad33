/** Recognises calls that may return their argument, or the result of their closure. */
import { type Expression, hasAtMost, TAG } from "../../../expression.ts";
import type { ValueReaders } from "../../../languages/language.ts";
import type { Node } from "../../../syntax/tree.ts";
import { bindPattern, type PatternReader } from "../patterns.ts";
import { Scope } from "../scopes.ts";
import type { ShapeReader } from "../types/shapes.ts";

/** A closure may repeat the expression it is applied to: a chain of them would double at each step. */
const MAX_CLOSURE_PARTS = 60;

export interface ValueReader extends PatternReader {
  value(node: Node, scope: Scope, depth?: number): Expression | undefined;
  type(node: Node, scope: Scope, depth?: number): Expression | undefined;
  callbackParameter(fn: Node, index: number, scope: Scope): Expression | undefined;
  functionResult(fn: Node, scope: Scope): Expression | undefined;
  /** Types without a name. */
  shapes: ShapeReader | undefined;
}

export function readersAt(reader: ValueReader, scope: Scope, depth: number): ValueReaders {
  return {
    value: (each) => reader.value(each, scope, depth + 1),
    type: (each) => reader.type(each, scope, depth + 1) ?? reader.shapes?.read(each, scope),
    called: (fn) => resultOf(reader, fn, scope, depth + 1),
  };
}

/** The result of a function: what the body of a `lambda` is, or that of a call. */
function resultOf(reader: ValueReader, fn: Node, scope: Scope, depth: number): Expression | undefined {
  if (/^(?:ecmascript|ruby)$/.test(reader.language.family)) return reader.functionResult(fn, scope);
  const body = reader.language.nodes.functions.has(fn.type) ? fn.childForFieldName("body") : null;
  if (!body) {
    const of = reader.value(fn, scope, depth);
    return of && [TAG.call, of];
  }
  const inner = new Scope(scope);
  for (const [at, part] of (fn.childForFieldName("parameters")?.namedChildren ?? []).entries()) {
    const type = part.childForFieldName("type");
    const meaning = () => (type ? reader.type(type, scope) : reader.callbackParameter(fn, at, scope));
    bindPattern(reader, part.childForFieldName("name") ?? part, inner, meaning);
  }
  const made = reader.value(body, inner, depth);
  return made && hasAtMost(made, MAX_CLOSURE_PARTS) ? made : undefined;
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
    : libraryCall?.(node, readersAt(reader, scope, depth));
  if (passed) return [TAG.passedOn, called, passed];
  const closure = callForms?.makingClosure(node);
  const named = callForms?.makingFunction?.(node);
  const fn = named && reader.value(named, scope, depth + 1);
  if (fn && fn[0] !== TAG.freeName) return [TAG.mapped, called, [TAG.call, fn]];
  // Java: `Item::run`.
  if (closure?.type === "method_reference" || closure?.type === "navigation_expression") {
    const referred = reader.value(closure, scope, depth + 1);
    return referred && [TAG.mapped, called, [TAG.call, referred]];
  }
  // Kotlin: `{ it.run() }`.
  const isLambda = closure?.type === "lambda_literal";
  const body = isLambda ? closure.namedChildren.at(-1) : closure?.childForFieldName("body");
  if (!closure || !body || called[0] !== TAG.call) return undefined;
  const inner = new Scope(scope);
  const list = isLambda ? closure.namedChildren[0] : closure.childForFieldName("parameters");
  const isUnnamed = isLambda && list?.type !== "lambda_parameters";
  if (isUnnamed) inner.bindValue("it", () => [TAG.callbackParameter, called[1], 0, 0]);
  const parameters = isUnnamed ? [] : list?.type === "identifier" ? [list] : (list?.namedChildren ?? []);
  for (const [at, pattern] of parameters.entries()) {
    const type = pattern.childForFieldName("type");
    const name = pattern.childForFieldName("pattern") ?? pattern;
    bindPattern(reader, name, inner, () =>
      type ? reader.type(type, scope) : [TAG.callbackParameter, called[1], 0, at],
    );
  }
  const made = reader.value(body, inner, depth + 1);
  return made && hasAtMost(made, MAX_CLOSURE_PARTS) ? [TAG.mapped, called, made] : undefined;
}
