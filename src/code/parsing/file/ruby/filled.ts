/** Ruby: lists and hashes that are empty where they are made: what the code puts into them tells what they hold. */
import { type Expression, listOf, TAG } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { OpenFile } from "../open_file.ts";
import type { Filled } from "../python/filled.ts";

const EMPTY = /^(?:\[\]|\{\}|(?:Array|Hash|Set|Queue|Thread::Queue|Concurrent::(?:Array|Hash|Map))\.new(?:\(\))?)$/;
const MAX_FILLS = 8;
const MAX_EMPTY_CHARS = 24;
const ADDS = /^(?:push|append|add|unshift|prepend|enq|<<)$/;

export function isEmpty(value: Node | null): boolean {
  return value !== null && value.endIndex - value.startIndex <= MAX_EMPTY_CHARS && EMPTY.test(value.text);
}

/** `list << item`, `list.push(item)`, `hash[key] = item`; undefined for other nodes. */
export function filledIn(file: OpenFile, node: Node): Filled | undefined {
  const isBinary = node.type === "binary";
  const isCall = node.type === "call";
  const target = node.childForFieldName("left");
  const of = isBinary ? target : isCall ? node.childForFieldName("receiver") : target?.childForFieldName("object");
  const given = isCall ? node.childForFieldName("arguments")?.namedChildren : undefined;
  const added = isCall ? given?.[0] : node.childForFieldName("right");
  if (!of || !added || (given && given.length > 1) || !/^(?:identifier|instance_variable)$/.test(of.type)) return undefined;
  if (isCall && !ADDS.test(node.childForFieldName("method")?.text ?? "")) return undefined;
  const { scope } = file.frame;
  return {
    of,
    value: (): Expression | undefined => {
      const found = file.expressions.value(added, scope);
      if (!found || found[0] === TAG.freeName || isVaried(found)) return undefined;
      const isPlaced = node.childForFieldName("left")?.namedChildren[1]?.type === "integer";
      if (isPlaced) return undefined;
      return isBinary || isCall ? listOf(found) : [TAG.ofType, [TAG.freeName, "dict"], [null, found]];
    },
  };
}

/** Values of one type, as far as the text tells; undefined if one of them is not known. */
export function alike(fills: readonly Filled["value"][]): Expression | undefined {
  const values = fills.slice(0, MAX_FILLS).map((each) => each());
  const [first] = values;
  const key = JSON.stringify(first);
  return fills.length <= MAX_FILLS && values.every((each) => each && JSON.stringify(each) === key) ? first : undefined;
}

/** Whether a value is one of several. */
function isVaried(value: Expression): boolean {
  if (value[0] !== TAG.either) return false;
  const isNamed = value[2][0] === TAG.freeName;
  return !isNamed || isVaried(value[1]);
}
