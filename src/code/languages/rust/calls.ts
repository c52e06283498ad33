/** Rust: library calls whose result is one of their arguments, holds one, or is the result of a closure. */
import { type Expression, listOf, TAG, tupleOf } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { ValueReaders } from "../language.ts";

const WRAPPERS =
  "Arc|Rc|Box|Pin|Cell|RefCell|Mutex|RwLock|Weak|OnceCell|Cow|ManuallyDrop|MaybeUninit|NonNull|Peekable|Reverse|Wrapping";
/** `Arc::new(x)`, `Some(x)`, `mem::take(&mut x)`: the wrappers count as their content. */
const PASSES_ON = new RegExp(
  `^(?:\\w+::)*(?:(?:${WRAPPERS})(?:::<[^()]*>)?::(?:new|pin|clone|from|new_unchecked|leak|as_ref|as_mut|get_mut|get_ref|into_inner|downgrade|upgrade)` +
    "|Some|Ok|mem::(?:take|replace)|(?:Cow::)?(?:Borrowed|Owned)|(?:Poll::)?Ready)$",
);
/** Methods whose result is made by the closure, of iterators and of wrappers. */
const MADE_BY_CLOSURE = /^(map|and_then|filter_map|find_map|flat_map|map_or_else|then)$/;
const MAX_CALLEE_CHARS = 80;

/** The argument that a call returns, unless the project defines the called function. */
export function passedOn(call: Node): Node | undefined {
  const callee = call.childForFieldName("function");
  if (!callee || callee.endIndex - callee.startIndex > MAX_CALLEE_CHARS) return undefined;
  if (callee.type === "field_expression" || !PASSES_ON.test(callee.text)) return undefined;
  return call.childForFieldName("arguments")?.namedChildren[0];
}

/** A function that is named by a type with a capital, such as a trait: `Pow::pow(x, 2)`. */
const OF_TRAIT = /(?:^|::)([A-Z]\w*)(?:::<[^()]*>)?::([a-z_]\w*)$/;
const IS_WRAPPER = new RegExp(`^(?:${WRAPPERS}|Box|Option|Result|Vec|String|Some|Ok|Err)$`);
/** Functions of traits that take no instance, or that wrappers have, too. */
const WITHOUT_SELF = /^(new|default|from|try_from|from_\w+|with_\w+|clone)$/;

const DEREFERENCED = /^&?\s*(?:mut\s)?\s*\*\s*\*/;

/** The argument that is the instance, if the function turns out to be one of a trait outside the project. */
export function selfArgument(call: Node): { argument: Node; method: string } | undefined {
  const callee = call.childForFieldName("function");
  if (callee?.type !== "scoped_identifier" || callee.endIndex - callee.startIndex > MAX_CALLEE_CHARS) return undefined;
  const [, trait, method] = OF_TRAIT.exec(callee.text) ?? [];
  if (trait === undefined || method === undefined) return undefined;
  if (IS_WRAPPER.test(trait) || WITHOUT_SELF.test(method)) return undefined;
  const argument = call.childForFieldName("arguments")?.namedChildren[0];
  // `&**self` is a value that the instance stands for by its `Deref`.
  return argument && !DEREFERENCED.test(argument.text) ? { argument, method } : undefined;
}

/** The closure whose result is that of the call, unless the project defines the called method. */
export function makingClosure(call: Node): Node | undefined {
  const callee = call.childForFieldName("function");
  const name = callee?.type === "field_expression" ? callee.childForFieldName("field")?.text : undefined;
  if (name === undefined || !MADE_BY_CLOSURE.test(name)) return undefined;
  return call.childForFieldName("arguments")?.namedChildren.find(({ type }) => type === "closure_expression");
}

/** A function that is named where a closure could stand: `.map(Item::new)`. */
export function makingFunction(call: Node): Node | undefined {
  const callee = call.childForFieldName("function");
  const name = callee?.type === "field_expression" ? callee.childForFieldName("field")?.text : undefined;
  if (name === undefined || !MADE_BY_CLOSURE.test(name)) return undefined;
  const [given] = call.childForFieldName("arguments")?.namedChildren ?? [];
  return given?.type === "scoped_identifier" || given?.type === "identifier" ? given : undefined;
}

/** The elements of two lists side by side. */
export function zipped(call: Node, { value }: ValueReaders): Expression | undefined {
  const callee = call.childForFieldName("function");
  if (callee?.type !== "field_expression" || callee.childForFieldName("field")?.text !== "zip") return undefined;
  const of = callee.childForFieldName("value");
  const other = call.childForFieldName("arguments")?.namedChildren[0];
  const sides = [of, other].map((each) => each && value(each));
  return sides.some(Boolean) ? listOf(tupleOf(sides.map((each) => (each ? [TAG.element, each] : null)))) : undefined;
}

/** The types of the arguments that the parameters of a function pass to the closures they are, by position. */
export function closureTypes(fn: Node): Record<number, Node[]> | undefined {
  let found: Record<number, Node[]> | undefined;
  const parameters = fn.childForFieldName("parameters")?.namedChildren.filter(({ type }) => type === "parameter") ?? [];
  for (const [at, parameter] of parameters.entries()) {
    const type = parameter.childForFieldName("type");
    const made = type && closureType(type, fn, 0);
    if (!made) continue;
    found ??= {};
    found[at] = made.childForFieldName("parameters")?.namedChildren ?? [];
  }
  return found;
}

/** The `Fn(A) -> B` of a stated type, or of the bounds of a type parameter. */
function closureType(type: Node, fn: Node, depth: number): Node | undefined {
  if (depth > 4) return undefined;
  if (type.type === "function_type") return type;
  if (type.type === "type_identifier") {
    const bounds = depth === 0 ? boundsOf(type.text, fn) : [];
    return bounds.map((each) => closureType(each, fn, depth + 1)).find(Boolean);
  }
  const inner = /^(reference_type|abstract_type|dynamic_type|bounded_type)$/.test(type.type) ? type.namedChildren : [];
  return inner.map((each) => closureType(each, fn, depth + 1)).find(Boolean);
}

function boundsOf(name: string, fn: Node): Node[] {
  const where = fn.namedChildren.find(({ type }) => type === "where_clause")?.namedChildren ?? [];
  const stated = fn.childForFieldName("type_parameters")?.namedChildren ?? [];
  return [...stated, ...where]
    .filter((each) => (each.childForFieldName("name") ?? each.childForFieldName("left"))?.text === name)
    .flatMap((each) => each.childForFieldName("bounds")?.namedChildren ?? []);
}
