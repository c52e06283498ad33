/** TypeScript: values of React's types that hold values of the project, pass them on, or are functions of them. */
import { type Expression, TAG } from "../../expression.ts";
import type { Value } from "../evaluating/values.ts";

const SAME = /^PropsWith(?:Children|outRef|Ref)$/;
const REFERENCE = /^(?:Mutable)?RefObject$/;
const COMPONENT = /^(?:FC|VFC|SFC|FunctionComponent|VoidFunctionComponent|StatelessComponent|ComponentType)$/;
const RENDERING = /^ForwardRef(?:Render|Exotic)(?:Function|Component)$/;
export const PROPS_OF = /^ComponentProps(?:With(?:out)?Ref)?$/;
const CLASSES = /^(?:Pure)?Component$/;
/** Fields of a component that is a class, in the order of the type arguments of its base. */
const FIELDS = ["props", "state"];

const FIRST: Expression = [TAG.parameter, 0, null];
const SECOND: Expression = [TAG.parameter, 1, null];

/** `path`: any file, which the value does not depend on. */
export function reactValue(path: string, name: string, of: readonly (Value | undefined)[]): Value | undefined {
  if (SAME.test(name)) return of[0];
  if (REFERENCE.test(name)) return { kind: "record", path, members: [["current", FIRST]], of };
  const props = COMPONENT.test(name) ? FIRST : RENDERING.test(name) ? SECOND : undefined;
  return props && { kind: "function", path, type: [TAG.functionType, [props], null, null], of };
}

/** The position of the type argument of a component's base that is the type of this field; -1: none. */
export function componentArgument(base: string | undefined, field: string): number {
  return base !== undefined && CLASSES.test(base) ? FIELDS.indexOf(field) : -1;
}
