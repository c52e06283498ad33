/** C#: functions that are arguments: their parameters have the values that the callee passes. */
import { type Expression, LAMBDA_PARAMETERS, TAG } from "../../expression.ts";
import type { Value } from "../evaluating/values.ts";

type Values = readonly (Value | undefined)[];

/** The type arguments of a function, with the values that its parameters have. */
export function withTaken(parameters: readonly (Expression | null)[], of: Values, taken: Values): Values {
  const all = [...of];
  for (const [at, parameter] of parameters.entries()) if (isLambdaParameter(parameter)) all[parameter[1]] = taken[at];
  return all;
}

/** A parameter of a function that is an argument. */
export function isLambdaParameter(
  type: Expression | null,
): type is Extract<Expression, readonly [typeof TAG.parameter, ...unknown[]]> {
  return type?.[0] === TAG.parameter && type[1] >= LAMBDA_PARAMETERS;
}
