/** Kotlin: a lambda without parameters has one, `it`; `apply`, `run` and `with` run theirs as the value they are called on. */
import { callOf } from "../../../languages/kotlin/nodes.ts";
import type { Node } from "../../../syntax/tree.ts";
import { Scope } from "../../expressions/scopes.ts";
import type { OpenFile } from "../open_file.ts";

const RUNS_AS_RECEIVER = /^(apply|run|with)$/;

/** Undefined for other blocks. */
export function lambdaScope(file: OpenFile, lambda: Node): Scope | undefined {
  if (lambda.type !== "lambda_literal" || file.language.name !== "kotlin") return undefined;
  const outer = file.frame.scope;
  const scope = new Scope(outer);
  const self = receiverOf(lambda);
  if (self) scope.selfMeaning = () => file.expressions.value(self, outer);
  else if (lambda.namedChildren[0]?.type !== "lambda_parameters")
    scope.bindValue("it", () => file.expressions.callbackParameter(lambda, 0, outer));
  return scope;
}

/** `value.apply { … }`, `with(value) { … }`. */
function receiverOf(lambda: Node): Node | undefined {
  const callee = callOf(lambda)?.namedChildren[0];
  const isMember = callee?.type === "navigation_expression";
  const name = isMember ? callee.namedChildren.at(-1)?.text : callee?.text;
  if (!callee || name === undefined || name.length > 8 || !RUNS_AS_RECEIVER.test(name)) return undefined;
  if (isMember) return callee.namedChildren[0];
  const list = callee.parent?.namedChildren.find(({ type }) => type === "value_arguments");
  return name === "with" ? list?.namedChildren[0]?.namedChildren.at(-1) : undefined;
}
