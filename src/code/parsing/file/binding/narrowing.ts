/**
 * Reads conditions that check the type of a value, which is then known in the code that depends on them (narrowing).
 */
import { type Expression, hasAtMost, listOf, TAG } from "../../../expression.ts";
import type { TypeCheck } from "../../../languages/language.ts";
import type { Node } from "../../../syntax/tree.ts";
import { HIDDEN, type Scope } from "../../expressions/scopes.ts";
import { unionOf } from "../../expressions/types/unions.ts";
import { MAX_NAME_CHARS } from "../definitions/definitions.ts";
import type { Item } from "../items.ts";
import type { OpenFile } from "../open_file.ts";

/** A method that checks its object doubles what is known of it with each condition inside another. */
const MAX_PARTS = 200;
/** Conditions of one function that hold in all code behind them; each makes looking up a name longer. */
const MAX_ENSURED = 12;
/** Parts of a condition: `!`, `||`, and brackets. */
const AROUND = /^(unary(_op)?_expression|not_operator|binary_expression|boolean_operator|parenthesized_expression)$/;
const MAX_STEPS = 6;
const PATH = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\??\.|->)[\p{L}_$][\p{L}\p{N}_$]*)*$/u;

/** Opens code that runs only if the condition holds. */
export function openChecked(file: OpenFile, item: Item, condition: Node): void {
  const checks = file.language.typeChecks?.(condition) ?? [];
  if (checks.length === 0) return;
  const { slot, scope, anonymous } = file.frame;
  const part = scope.part();
  narrowAll(file, part, checks);
  file.open(item, slot, part, anonymous);
}

/** For a condition that must hold for the code after it to be reached. */
export function bindEnsured(file: OpenFile, condition: Node): void {
  ensure(file, file.language.typeChecks?.(condition) ?? [], leftIfNot(condition) ?? condition);
}

/** For a call that returns only if its argument is of a type. */
export function bindAsserted(file: OpenFile, call: Node): void {
  if (call.parent?.type === "expression_statement") ensure(file, file.language.assertedChecks?.(call) ?? [], call);
}

function ensure(file: OpenFile, checks: readonly TypeCheck[], { endIndex }: Node): void {
  const ensured = file.frame.ensured ?? 0;
  if (checks.length === 0 || ensured >= MAX_ENSURED) return;
  file.frame.ensured = ensured + 1;
  file.bindAfter(endIndex, (part) => narrowAll(file, part, checks), true);
}

/** After `if not …: return` the condition holds behind the whole statement. */
function leftIfNot(condition: Node): Node | undefined {
  let at = condition.parent;
  for (let steps = 0; at && steps < MAX_STEPS && AROUND.test(at.type); steps += 1) at = at.parent;
  return at?.type === "if_statement" ? at : undefined;
}

/** Go: in a case of `switch x := y.(type)` the name has the type of the case, if it is only one. */
export function bindCase(file: OpenFile, node: Node): void {
  const { scope } = file.frame;
  const name = node.parent?.childForFieldName("alias")?.namedChildren[0]?.text;
  const [type, ...others] = node.childrenForFieldName("type");
  if (name === undefined || !type) return;
  scope.bindValue(name, others.length > 0 ? HIDDEN : () => file.expressions.type(type, scope));
}

/** Java: `x instanceof Item item`, `case Item item`, `catch (Failure e)`, `Item... items`. */
export function bindTyped(file: OpenFile, { node }: Item, name: Node, type: Node): void {
  const isList = node.type === "spread_parameter";
  // `catch (Failure | Other e)`: either of them.
  if (type.parent?.type === "catch_type" && type.parent.namedChildCount > 1) return;
  file.bindAfter(Math.max(name.endIndex, type.endIndex), (scope) =>
    scope.bindValue(name.text, () => {
      const stated = type.text === "var" ? undefined : file.expressions.type(type, scope);
      return stated && isList ? listOf(stated) : stated;
    }),
  );
}

function narrowAll(file: OpenFile, part: Scope, checks: readonly TypeCheck[]): void {
  const outer = part.parent ?? part;
  for (const { of, types, by } of checks) {
    const text = of.endIndex - of.startIndex > MAX_NAME_CHARS ? "" : of.text;
    if (!PATH.test(text)) continue;
    // Ruby: a name that nothing binds calls a method.
    if (file.language.returnsLast && !outer.isBound(text)) continue;
    part.narrow(text, () => {
      const check = by && file.expressions.value(by, outer);
      const type: Expression | undefined = check
        ? [TAG.ofVerdict, check]
        : unionOf(types.map((each) => file.expressions.type(each, outer)));
      const known: Expression | undefined = file.expressions.value(of, outer);
      const checked: Expression | undefined = type && [TAG.checked, known ?? null, type];
      return checked && hasAtMost(checked, MAX_PARTS) ? checked : known;
    });
  }
}
