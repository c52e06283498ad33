/** JavaScript: results of React's functions that hold what they are given. */
import { type Expression, memberOf, TAG, tupleOf } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { ValueReaders } from "../language.ts";

const STATE = /^(?:React\.)?(?:useState|useOptimistic)$/;
const REFERENCE = /^(?:React\.)?(?:useRef|createRef)$/;
const CONTEXT = /^(?:React\.)?createContext$/;
const OF_CONTEXT = /^(?:React\.)?(?:useContext|use)$/;
/** Under which a context holds its value. */
const CONTEXT_VALUE = "_currentValue";
const MADE_ONCE = /^(?:React\.)?useMemo$/;

/** `first`: the first argument. Undefined for other functions. */
export function reactCall(
  name: string,
  call: Node,
  first: Node | undefined,
  { value, called, type }: ValueReaders,
): Expression | undefined {
  const argument = call.childForFieldName("type_arguments")?.namedChildren[0];
  const stated = argument && type(argument);
  if (STATE.test(name)) {
    const made = first && /function/.test(first.type) ? called(first) : first && value(first);
    return tupleOf([stated ?? made ?? null]);
  }
  const member = REFERENCE.test(name) ? "current" : CONTEXT.test(name) ? CONTEXT_VALUE : undefined;
  if (member !== undefined) {
    const held = stated ?? (first && value(first));
    return held && [TAG.record, [[member, held]]];
  }
  if (!first) return undefined;
  if (MADE_ONCE.test(name)) return stated ?? called(first);
  const context = OF_CONTEXT.test(name) ? value(first) : undefined;
  return context && memberOf(context, CONTEXT_VALUE);
}
