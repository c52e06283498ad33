/** Reads the arguments of a Ruby call on which its result depends: the result of its block, keys, and first values. */
import { BLOCK, BLOCK_PARTS, type Expression, type Given, hasAtMost, TAG, UNKNOWN } from "../../../expression.ts";
import { isKey, keyOf } from "../../../languages/ruby/keys.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Scope } from "../scopes.ts";
import { blockOf, blockResult } from "./blocks.ts";

/** Methods whose result depends on that of their block. */
const MAKES =
  /^(?:(?:flat_|filter_)?map!?|collect!?|collect_concat|to_h|then|yield_self|group_by|index_by|inject|reduce|fetch|transform_(?:values|keys)!?|new)$/;
/** Methods whose result, or what they pass to their block, depends on their arguments. */
const TAKES =
  /^(?:\[\]|fetch|dig|first|last|take|sample|max|min|pop|shift|zip|inject|reduce|each_with_object|with_object|new|Array|method|\+|\||concat|values_at)$/;
const MAX_ARGUMENTS = 4;
const MAX_PARTS = 100;

interface ValueReader {
  value(node: Node, scope: Scope, depth?: number): Expression | undefined;
}

export class RubyGivenReader {
  readonly #reader: ValueReader;

  constructor(reader: ValueReader) {
    this.#reader = reader;
  }

  read(call: Node, callee: Expression | undefined, scope: Scope, depth: number): Given | undefined {
    const method = call.childForFieldName("method")?.text ?? "call";
    const made = callee && MAKES.test(method) ? this.#made(call, callee, scope, depth) : undefined;
    const values = TAKES.test(method) ? this.values(givenTo(call), scope, depth) : [];
    return made || values.length > 0 ? [[made ?? null], values] : undefined;
  }

  values(nodes: readonly Node[], scope: Scope, depth: number): (Expression | null)[] {
    return nodes.slice(0, MAX_ARGUMENTS).map((each) => {
      if (isKey(each)) return keyOf(each);
      const value = this.#reader.value(each, scope, depth + 1);
      return value && value[0] !== TAG.freeName && hasAtMost(value, MAX_PARTS) ? value : UNKNOWN;
    });
  }

  /** The result of the block, or of the method that each value is asked for: `map(&:box)`. */
  #made(call: Node, callee: Expression, scope: Scope, depth: number): Expression | undefined {
    if (blockOf(call))
      return blockResult(call, scope, (body, inner) =>
        this.#reader.value(body, inner, Math.min(depth + 1, BODY_DEPTH)),
      );
    const asked = askedFor(call);
    return asked !== undefined && hasAtMost(callee, MAX_PARTS) ? [TAG.call, calleeAsked(callee, asked)] : undefined;
  }
}

/** How deep in other expressions the body of a block is read. */
const BODY_DEPTH = 6;

/** The arguments of a call, without the block that is passed on. */
export function givenTo(call: Node): Node[] {
  const all = call.childForFieldName("arguments")?.namedChildren ?? [];
  return all.filter(({ type }) => type !== "block_argument" && type !== "comment");
}

/** The method of the value that a call passes to its block. */
export function calleeAsked(callee: Expression, method: string): Expression {
  return [TAG.member, [TAG.callbackParameter, callee, BLOCK, 0], method];
}

/** The method that a call asks each value for: `&:box`. */
export function askedFor(call: Node): string | undefined {
  const passed = call.childForFieldName("arguments")?.namedChildren.at(-1);
  const symbol = passed?.type === "block_argument" ? passed.namedChildren[0] : undefined;
  return symbol?.type === "simple_symbol" ? symbol.text.slice(1) : undefined;
}

/** Several parameters of a block take a value apart; a method that passes the block several values gives each its own. */
export function blockParameter(
  block: Node,
  callee: Expression,
  index: number,
  given: Given | undefined,
): Expression | undefined {
  const parameters = block.childForFieldName("parameters")?.namedChildren ?? [];
  const form = parameters.filter(({ type }) => type !== "block_parameter").length > 1 ? BLOCK_PARTS : BLOCK;
  return given && given[1].length > 0
    ? [TAG.callbackParameter, callee, form, index, [[], given[1]]]
    : [TAG.callbackParameter, callee, form, index];
}
