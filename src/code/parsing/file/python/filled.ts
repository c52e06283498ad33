import { type Expression, listOf } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { OpenFile } from "../open_file.ts";

/** Methods that add their first argument to a list, set or queue. */
const ADDS = /^(?:append|appendleft|add|put|put_nowait)$/;

const EMPTY = /^(?:\[\]|\{\}|(?:list|set|dict|deque|collections\.deque|(?:asyncio|queue)\.Queue)\(\))$/;
const MAX_EMPTY_CHARS = 20;

/** Whether a value is a list or set without elements. */
export function isEmpty(value: Node | null): boolean {
  return value !== null && value.endIndex - value.startIndex <= MAX_EMPTY_CHARS && EMPTY.test(value.text);
}

export interface Filled {
  /** The list: a variable, or a member of the instance. */
  of: Node;
  value(): Expression | undefined;
}

/** PHP: `$items[] = $item`. */
export function filledIn(file: OpenFile, assignment: Node, of: Node): Filled {
  const { scope } = file.frame;
  const added = assignment.childForFieldName("right");
  return {
    of,
    value: () => {
      const found = added ? file.expressions.value(added, scope) : undefined;
      return found && listOf(found);
    },
  };
}

/** Python: `items.append(item)` tells what an empty list holds; undefined for other calls. */
export function filledBy(file: OpenFile, call: Node): Filled | undefined {
  const callee = call.childForFieldName("function");
  const name = callee?.type === "attribute" ? callee.childForFieldName("attribute")?.text : undefined;
  if (name === undefined || !ADDS.test(name)) return undefined;
  const of = callee?.childForFieldName("object");
  const given = call.childForFieldName("arguments")?.namedChildren ?? [];
  const [added] = given;
  if (!of || !added || given.length > 1 || added.type === "keyword_argument") return undefined;
  const { scope } = file.frame;
  return {
    of,
    value: () => {
      const found = file.expressions.value(added, scope);
      return found && listOf(found);
    },
  };
}
