/**
 * JavaScript: the values that are assigned to a variable after its declaration; used if the declaration shows no type.
 */
import { type Expression, hasAtMost, TAG } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { ExpressionReader } from "../../expressions/expression_reader.ts";
import type { Scope } from "../../expressions/scopes.ts";

/** Assignments to one variable that are looked at. */
const MAX_ASSIGNMENTS = 4;
const MAX_PARTS = 120;
/** Assign a value that the variable did not have; others compute with the one it has. */
const OPERATOR = /^(?:=|\?\?=|\|\|=)$/;

export class AssignedVariables {
  readonly #expressions: ExpressionReader;
  readonly #assigned = new WeakMap<Scope, Map<string, { value: Node; scope: Scope }[]>>();

  constructor(expressions: ExpressionReader) {
    this.#expressions = expressions;
  }

  add(assignment: Node, name: string, value: Node, scope: Scope): void {
    const declaring = scope.declaring(name);
    const operator = assignment.childForFieldName("operator")?.text ?? "=";
    if (!declaring || !OPERATOR.test(operator)) return;
    const names = this.#assigned.get(declaring) ?? new Map<string, { value: Node; scope: Scope }[]>();
    this.#assigned.set(declaring, names);
    const all = names.get(name) ?? [];
    names.set(name, all);
    if (all.length < MAX_ASSIGNMENTS) all.push({ value, scope });
  }

  /** The known value of the variable, or else the first that a later assignment gives it. `scope`: that of its declaration. */
  orLater(known: Expression | undefined, name: string, scope: Scope): Expression | undefined {
    const later = (scope.declaring(name) && this.#assigned.get(scope.declaring(name) as Scope)?.get(name)) ?? [];
    const values = later
      .map((each) => this.#expressions.value(each.value, each.scope))
      .filter((each) => each !== undefined && each[0] !== TAG.freeName)
      // A value of the same type: which function a variable has is not known.
      .map((each): Expression => [TAG.union, [each as Expression]]);
    const all = [...(known ? [known] : []), ...values];
    const [first] = all;
    if (all.length < 2) return first;
    const whole = all.reduceRight((rest, each) => [TAG.either, each, rest]);
    return hasAtMost(whole, MAX_PARTS) ? whole : first;
  }
}
