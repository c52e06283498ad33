/** Ruby: lists and hashes that are created empty. The values that the code adds determine the type of the elements. */
import { type Expression, firstKnown, listOf, TAG } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Meaning } from "../../expressions/scopes.ts";
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
  if (!of || !added || (given && given.length > 1) || !/^(?:identifier|instance_variable)$/.test(of.type))
    return undefined;
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

/** Lists and hashes that are empty where they are made, by their variables or fields. */
export class RubyFills {
  readonly #file: OpenFile;
  readonly #emptyVariables = new WeakSet<Meaning>();
  readonly #emptyFields = new Set<string>();
  readonly #fills = new Map<string | Meaning, Filled["value"][]>();

  constructor(file: OpenFile) {
    this.#file = file;
  }

  empty(meaning: Meaning): void {
    this.#emptyVariables.add(meaning);
  }

  emptyField(name: string): void {
    this.#emptyFields.add(`${this.#file.frame.scope.self}.${name}`);
  }

  /** A block may fill what is around it. */
  add({ of, value }: Filled): void {
    const { scope } = this.#file.frame;
    const isField = of.type === this.#file.language.instanceVariable;
    const declaring = isField ? undefined : scope.declaring(of.text);
    const before = declaring?.valueMeaning(of.text);
    const key = isField ? `${scope.self}.${of.text}` : before;
    const known = key === undefined ? undefined : this.#fills.get(key);
    known?.push(value);
    if (key === undefined || known) return;
    const fills = [value];
    this.#fills.set(key, fills);
    if (before && declaring && this.#emptyVariables.has(before)) {
      const filled: Meaning = () => firstKnown([before(), alike(fills)], of.text);
      this.#fills.set(filled, fills);
      declaring.bindValue(of.text, filled);
    }
    if (!isField) return;
    this.#file.later(() => {
      const found = this.#emptyFields.has(`${scope.self}.${of.text}`) ? alike(fills) : undefined;
      if (found) this.#file.facts.properties.push({ owner: scope.self, name: of.text, value: found });
    });
  }
}

/** Values of one type, as far as the text tells; undefined if one of them is not known. */
function alike(fills: readonly Filled["value"][]): Expression | undefined {
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
