/** JavaScript: the values that functions without a name return, and the scopes in which they do. */
import type { Expression } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Scope } from "../scopes.ts";

/** Statements around a returned value that are looked through for its function. */
const MAX_STEPS = 100;
const MAX_RETURNS = 4;
const NAMED = /^(?:function_declaration|generator_function_declaration)$/;
const FUNCTION = /^(?:arrow_function|function_expression|generator_function|method_definition)$/;

export class Closures {
  readonly #returned = new Map<number, { value: Node; scope: Scope }[]>();

  /** A value that a statement returns, in the scope of the statement. */
  add(value: Node, scope: Scope): void {
    let at = value.parent;
    for (let steps = 0; at && steps < MAX_STEPS; steps += 1, at = at.parent) {
      if (NAMED.test(at.type)) return;
      if (!FUNCTION.test(at.type)) continue;
      const returned = this.#returned.get(at.id) ?? [];
      this.#returned.set(at.id, returned);
      if (returned.length < MAX_RETURNS) returned.push({ value, scope });
      return;
    }
  }

  /** The first known value that a function with a block returns. */
  result(fn: Node, read: (value: Node, scope: Scope) => Expression | undefined): Expression | undefined {
    for (const { value, scope } of this.#returned.get(fn.id) ?? []) {
      const found = read(value, scope);
      if (found) return found;
    }
    return undefined;
  }
}

/** The function of `(() => { … })()`. */
export function calledInPlace(call: Node): Node | undefined {
  const callee = call.childForFieldName("function");
  const fn = callee?.type === "parenthesized_expression" ? callee.namedChildren[0] : callee;
  return fn && FUNCTION.test(fn.type) ? fn : undefined;
}
