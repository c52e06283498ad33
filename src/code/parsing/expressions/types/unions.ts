/** A type that is one of several. */
import { type Expression, TAG } from "../../../expression.ts";

/** Types that cannot have members of the project. */
const PRIMITIVE =
  /^(undefined|null|None|void|never|nil|"[^"]*"|'[^']*'|\d+|true|false|boolean|string|number|str|int|float|complex|bool|bytes|bytearray|object)$/;

export function isPrimitive(text: string): boolean {
  return PRIMITIVE.test(text);
}

/** The type itself if there is only one; of several, each that has a member may be meant. */
export function unionOf(sides: readonly (Expression | undefined)[]): Expression | undefined {
  const known = sides.filter((each) => each !== undefined);
  return known.length > 1 ? [TAG.bounds, known] : known[0];
}
