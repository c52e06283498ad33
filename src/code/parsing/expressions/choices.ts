/** Reads expressions whose value is one of several: conditions, `match` and blocks. */
import { type Expression, hasAtMost, TAG } from "../../expression.ts";
import type { Language } from "../../languages/language.ts";
import type { Node } from "../../syntax/tree.ts";
import { readersAt, type ValueReader } from "./calls/given_back.ts";
import { collectionValue } from "./collections.ts";
import { bindPattern } from "./patterns.ts";
import { Scope } from "./scopes.ts";
import { isPrimitive } from "./types/unions.ts";

/** Arms of a `match` that are read for its value. */
const MAX_ARMS = 8;

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  ternary_expression: ["consequence", "alternative"],
  conditional_expression: ["consequence", "alternative"],
  binary_expression: ["left", "right"],
  boolean_operator: ["left", "right"],
  assignment_expression: ["right"],
  augmented_assignment_expression: ["left", "right"],
  // Ruby
  assignment: ["right"],
  operator_assignment: ["right"],
  conditional: ["consequence", "alternative"],
  if_expression: ["consequence", "alternative"],
  if: ["consequence", "alternative"],
  unless: ["consequence", "alternative"],
  binary: ["left", "right"],
};

/** Rust: the methods of operators. */
const OPERATORS: Readonly<Record<string, string>> = { "+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem" };

/** JavaScript: one of two values. */
const DECIDED = /^(ternary|binary)_expression$/;
/** A choice between choices doubles at each step. */
const MAX_PARTS = 60;

function isKnown(side: Expression | null | undefined): side is Expression {
  return side !== null && side !== undefined && side[0] !== TAG.freeName;
}

export class ChoiceReader {
  readonly #language: Language;
  readonly #reader: ValueReader;

  constructor(language: Language, reader: ValueReader) {
    this.#language = language;
    this.#reader = reader;
  }

  /** `a ?? b`, `c ? a : b`: the first side with a known value counts. */
  value(node: Node, scope: Scope, depth: number): Expression | undefined {
    const own = this.#language.readForm?.(node, readersAt(this.#reader, scope, depth));
    if (own) return own;
    if (this.#language.nodes.blocks?.has(node.type)) {
      const last = node.namedChildren.at(-1);
      return last && this.#reader.value(last, this.#declared(node, scope), depth + 1);
    }
    if (node.type === "match_expression") return this.#matched(node, scope, depth);
    if (node.type === "binary" && !/^(\|\||&&|or|and)$/.test(node.childForFieldName("operator")?.text ?? ""))
      return undefined;
    if (node.type === "binary_operator") return this.#operated(node, scope, depth);
    if (this.#language.family === "ecmascript" && DECIDED.test(node.type)) return this.#decided(node, scope, depth);
    if (node.type === "sequence_expression") {
      // `(0, library.run)()`: compiled code calls an imported function without a receiver.
      const last = node.namedChildren.at(-1);
      return last && this.#reader.value(last, scope, depth + 1);
    }
    const computed = this.#language.family === "rust" ? this.#computed(node, scope, depth) : undefined;
    if (computed) return computed;
    const fields = CHOICES[node.type];
    const inner = fields ? this.#withCondition(node, scope) : scope;
    const isAnd = node.type === "boolean_operator" && node.childForFieldName("operator")?.text === "and";
    for (const [at, field] of (isAnd ? ["right"] : (fields ?? [])).entries()) {
      // Python's grammar has no fields: `a if condition else b`.
      const side = node.childForFieldName(field) ?? (this.#language.explicitSelf ? node.namedChildren[2 * at] : null);
      const found = side && this.#reader.value(side, inner, depth + 1);
      if (found && found[0] !== TAG.freeName) return found;
    }
    return collectionValue(this.#reader, node, scope, depth);
  }

  /** Python: an operator calls a method of its left side. */
  #operated(node: Node, scope: Scope, depth: number): Expression | undefined {
    const method = this.#language.operators?.[node.childForFieldName("operator")?.text ?? ""];
    const left = method === undefined ? null : node.childForFieldName("left");
    const of = left && this.#reader.value(left, scope, depth + 1);
    return of && method !== undefined ? [TAG.call, [TAG.member, of, method]] : undefined;
  }

  /** Rust: a type may say what `a + b` is. */
  #computed(node: Node, scope: Scope, depth: number): Expression | undefined {
    const method = OPERATORS[(node.type === "binary_expression" && node.childForFieldName("operator")?.text) || ""];
    const left = method === undefined ? null : node.childForFieldName("left");
    const of = left && this.#reader.value(left, scope, depth + 1);
    if (!of || method === undefined || of[0] === TAG.freeName) return undefined;
    const computed: Expression = [TAG.either, [TAG.call, [TAG.member, of, method]], of];
    return hasAtMost(computed, MAX_PARTS) ? computed : of;
  }

  /** JavaScript: either side may be meant, unless one of them has no members. */
  #decided(node: Node, scope: Scope, depth: number): Expression | undefined {
    const operator = node.childForFieldName("operator")?.text;
    if (operator !== undefined && !/^(\?\?|\|\||&&)$/.test(operator)) return undefined;
    const names = operator === undefined ? ["consequence", "alternative"] : ["left", "right"];
    const sides = (operator === "&&" ? ["right"] : names)
      .map((name) => node.childForFieldName(name))
      .filter((side) => side !== null && !isPrimitive(side.text));
    const [first, second] = sides.map((side) => side && this.#reader.value(side, scope, depth + 1)).filter(isKnown);
    if (!first || sides.length < 2) return first;
    const choice: Expression = [TAG.choice, first, second ?? null];
    return hasAtMost(choice, MAX_PARTS) ? choice : first;
  }

  /** Rust: the names that the statements of a block bind. */
  #declared(block: Node, scope: Scope): Scope {
    if (this.#language.family !== "rust") return scope;
    const inner = new Scope(scope);
    for (const each of block.namedChildren) if (each.type === "let_declaration") this.#bindLet(each, inner);
    return inner;
  }

  /** Rust: `if let Some(x) = y { x }`. */
  #withCondition(node: Node, scope: Scope): Scope {
    const condition = node.type === "if_expression" ? node.childForFieldName("condition") : null;
    if (condition?.type !== "let_condition") return scope;
    const inner = new Scope(scope);
    this.#bindLet(condition, inner);
    return inner;
  }

  #bindLet(node: Node, inner: Scope): void {
    const outer = inner.parent ?? inner;
    const [pattern, type, value] = ["pattern", "type", "value"].map((field) => node.childForFieldName(field));
    if (!pattern) return;
    bindPattern(this.#reader, pattern, inner, () => {
      const stated = type && this.#reader.type(type, outer);
      return stated ?? (value ? this.#reader.value(value, outer) : undefined);
    });
  }

  /** Rust, PHP: the first arm with a known value counts. */
  #matched(node: Node, scope: Scope, depth: number): Expression | undefined {
    const whole = node.childForFieldName("value");
    for (const arm of node.childForFieldName("body")?.namedChildren.slice(0, MAX_ARMS) ?? []) {
      const pattern = arm.childForFieldName("pattern");
      // PHP's grammar has no fields: `condition => value`.
      const value = arm.childForFieldName("value") ?? (arm.type.startsWith("match_") ? arm.namedChildren.at(-1) : null);
      if (!value) continue;
      const inner = new Scope(scope);
      if (pattern)
        bindPattern(this.#reader, pattern, inner, () =>
          whole ? this.#reader.value(whole, scope, depth + 1) : undefined,
        );
      const found = this.#reader.value(value, inner, depth + 1);
      if (found && found[0] !== TAG.freeName) return found;
    }
    return undefined;
  }
}
