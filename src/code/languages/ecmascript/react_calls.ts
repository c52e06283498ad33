/** JavaScript: results of React's functions that hold what they are given. */
import { type Expression, memberOf, TAG, tupleOf } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { ValueReaders } from "../language.ts";

const STATE = /^(?:React\.)?(?:useState|useOptimistic)$/;
const REDUCED = /^(?:React\.)?useReducer$/;
const REFERENCE = /^(?:React\.)?(?:useRef|createRef)$/;
const CONTEXT = /^(?:React\.)?createContext$/;
const OF_CONTEXT = /^(?:React\.)?(?:useContext|use)$/;
/** Under which a context holds its value. */
const CONTEXT_VALUE = "_currentValue";
const MADE_ONCE = /^(?:React\.)?useMemo$/;
const SNAPSHOT = /^(?:React\.)?useSyncExternalStore$/;
const RENDERED = /^(?:React\.)?(?:memo|forwardRef)$/;
const MAX_CALLEE_CHARS = 20;

/** The arguments of a call, without comments. Undefined for other functions. */
export function reactCall(
  name: string,
  call: Node,
  [first, second]: readonly Node[],
  { value, called, type }: ValueReaders,
): Expression | undefined {
  const argument = call.childForFieldName("type_arguments")?.namedChildren[0];
  const stated = argument && type(argument);
  if (STATE.test(name)) return tupleOf([stated ?? (first && stateOf(first, { value, called })) ?? null]);
  const member = REFERENCE.test(name) ? "current" : CONTEXT.test(name) ? CONTEXT_VALUE : undefined;
  if (member !== undefined) {
    const held = stated ?? (first && value(first));
    return held && [TAG.record, [[member, held]]];
  }
  if (!first) return undefined;
  if (REDUCED.test(name)) return tupleOf([reducedState(first, second, { value, called }) ?? null]);
  if (SNAPSHOT.test(name)) return stated ?? (second && called(second));
  if (MADE_ONCE.test(name)) return stated ?? called(first);
  const context = OF_CONTEXT.test(name) ? value(first) : undefined;
  return context && memberOf(context, CONTEXT_VALUE);
}

/** The first state, or what the function makes that is given in its place. */
function stateOf(first: Node, { value, called }: Pick<ValueReaders, "value" | "called">): Expression | undefined {
  if (/function/.test(first.type)) return called(first);
  const given = value(first);
  return given && first.type === "identifier" ? [TAG.either, [TAG.call, given], given] : given;
}

/** The type of state that the reducer takes, or else the state at the beginning. */
function reducedState(
  reducer: Node,
  initial: Node | undefined,
  { value, called }: Pick<ValueReaders, "value" | "called">,
): Expression | undefined {
  const start = initial && value(initial);
  if (/function/.test(reducer.type)) return start ?? called(reducer);
  const given = value(reducer);
  const taken: Expression | undefined = given && [TAG.argument, given, 0];
  return taken && start ? [TAG.either, taken, start] : (taken ?? start);
}

/** A parameter of the function that `memo` or `forwardRef` is given, by the types that the call states. */
export function reactParameter(fn: Node, index: number, { type }: ValueReaders): Expression | undefined {
  const call = fn.parent?.type === "arguments" ? fn.parent.parent : null;
  const stated = call?.childForFieldName("type_arguments")?.namedChildren;
  const callee = call?.childForFieldName("function");
  if (index > 0 || !stated || !callee || callee.endIndex - callee.startIndex > MAX_CALLEE_CHARS) return undefined;
  if (!RENDERED.test(callee.text)) return undefined;
  const props = stated[callee.text.endsWith("memo") ? 0 : 1];
  return props && type(props);
}
