/** Java: calls of its own library whose result is one of their arguments, holds one, or is what a lambda makes. */
import { type Expression, listOf } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { ValueReaders } from "../language.ts";

/** `List.of(a)`, `Optional.ofNullable(a)`: the result holds the first argument. */
const HOLDS_ARGUMENT =
  /^(?:(?:List|Set|Stream|Optional)\.of|Optional\.ofNullable|Arrays\.asList|Collections\.singleton(?:List)?|CompletableFuture\.completedFuture)$/;
/** `Objects.requireNonNull(a)`, `List.copyOf(a)`: the result is the argument, or has its elements. */
const IS_ARGUMENT =
  /^(?:Objects\.requireNonNull(?:Else(?:Get)?)?|(?:List|Set|Map)\.copyOf|Collections\.(?:unmodifiable|synchronized)\w+|Arrays\.(?:stream|copyOf(?:Range)?))$/;
const COLLECTS = /^\(\s*(?:Collectors\s*\.\s*)?to(?:Unmodifiable)?(?:List|Set)\(\)\s*\)$/;
const MAX_ARGUMENT_CHARS = 80;
/** Methods whose result is made by a function. */
const MADE_BY_FUNCTION = /^(?:map|mapToObj|flatMap|thenApply|thenCompose|thenApplyAsync|thenComposeAsync)$/;

export function libraryResult(call: Node, readers: ValueReaders): Expression | undefined {
  const object = call.childForFieldName("object");
  const name = call.childForFieldName("name")?.text;
  const given = call.childForFieldName("arguments");
  if (!object || name === undefined || !given) return undefined;
  if (name === "collect" && given.endIndex - given.startIndex <= MAX_ARGUMENT_CHARS && COLLECTS.test(given.text))
    return readers.value(object);
  const [first] = given.namedChildren;
  if (object.type !== "identifier" || !first) return undefined;
  const callee = `${object.text}.${name}`;
  if (IS_ARGUMENT.test(callee)) return readers.value(first);
  const held = HOLDS_ARGUMENT.test(callee) ? readers.value(first) : undefined;
  return held && listOf(held);
}

/** The lambda or method reference whose result is that of the call, if it is a method of the library. */
export function makingFunction(call: Node): Node | undefined {
  const name = call.childForFieldName("name")?.text;
  if (name === undefined || !MADE_BY_FUNCTION.test(name) || !call.childForFieldName("object")) return undefined;
  const [first] = call.childForFieldName("arguments")?.namedChildren ?? [];
  return first && /^(lambda_expression|method_reference)$/.test(first.type) ? first : undefined;
}
