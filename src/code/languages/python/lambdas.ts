/** Python: what functions of its own library pass to a `lambda` that they are given. */
import { type Expression, TAG } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { ValueReaders } from "../language.ts";

/** Call the function with an element of what follows it. */
const BEFORE = /^(?:map|filter|(?:itertools\.)?(?:takewhile|dropwhile|filterfalse)|\w+\.map)$/;
const REDUCE = /^(?:functools\.)?reduce$/;
/** Call their `key` with an element of the first argument. */
const KEYED = /^(?:sorted|min|max|(?:itertools\.)?groupby)$/;
const KEYED_SECOND = /^heapq\.n(?:smallest|largest)$/;
const MAX_CALLEE_CHARS = 40;

/** Undefined for other functions. */
export function lambdaParameter(fn: Node, index: number, { value }: ValueReaders): Expression | undefined {
  const isNamed = fn.parent?.type === "keyword_argument";
  const list = isNamed ? fn.parent?.parent : fn.parent;
  const call = list?.type === "argument_list" ? list.parent : undefined;
  const callee = call?.childForFieldName("function");
  if (!list || !callee || callee.endIndex - callee.startIndex > MAX_CALLEE_CHARS) return undefined;
  const given = list.namedChildren.filter(({ type }) => type !== "keyword_argument" && type !== "comment");
  const elementOf = (whole: Node | null | undefined): Expression | undefined => {
    const of = whole && value(whole);
    return of ? [TAG.element, of] : undefined;
  };
  const { text } = callee;
  if (isNamed) {
    if (index > 0 || fn.parent?.childForFieldName("name")?.text !== "key") return undefined;
    if (callee.type === "attribute" && callee.childForFieldName("attribute")?.text === "sort")
      return elementOf(callee.childForFieldName("object"));
    if (KEYED_SECOND.test(text)) return elementOf(given[1]);
    if (!KEYED.test(text)) return undefined;
    return given.length > 1 ? given[0] && value(given[0]) : elementOf(given[0]);
  }
  const at = given.findIndex(({ id }) => id === fn.id);
  if (at === 0 && BEFORE.test(text)) return elementOf(given[1 + index]);
  if (at === 0 && REDUCE.test(text)) return index === 1 ? elementOf(given[1]) : given[2] && value(given[2]);
  return at === 1 && /^(?:itertools\.)?groupby$/.test(text) ? elementOf(given[0]) : undefined;
}
