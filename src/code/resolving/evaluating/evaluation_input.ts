/** The parts of the evaluator that its helpers need. */
import type { Expression } from "../../expression.ts";
import type { Surfaces } from "../project/surface_index.ts";
import type { Value } from "./values.ts";

export interface EvaluationInput {
  files: Surfaces;
  /** `types`: prefer the type where a name is both a type and a value. */
  evaluate(path: string, expression: Expression, types?: boolean): Value | undefined;
  /** The value of an expression: that of a constant or getter, not its definition. */
  evaluatedValue(path: string, expression: Expression): Value | undefined;
  /** Does the work with these type arguments of the receiver. */
  withArguments<T>(given: readonly (Value | undefined)[], work: () => T): T;
  /** Undefined when the same key is already in progress. */
  withoutCycles(key: string, work: () => Value | undefined): Value | undefined;
}
