/**
 * Ruby: what the calls of a file pass to the methods of the same file. A parameter has no stated type, but often one of
 * these values.
 */
import { type Expression, hasAtMost, TAG } from "../../../expression.ts";
import type { EntityFact } from "../../../facts.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { ExpressionReader } from "../../expressions/expression_reader.ts";
import type { Scope } from "../../expressions/scopes.ts";

/** Values of one parameter that are tried in turn. */
const MAX_VALUES = 3;
/** A value may be a parameter with several values of its own: a chain of them would grow at each step. */
const MAX_PARTS = 40;
/** Calls of one method that are looked at. */
const MAX_CALLS = 20;

interface Call {
  list: Node;
  scope: Scope;
}

export class PassedArguments {
  readonly #expressions: ExpressionReader;
  readonly #entities: readonly EntityFact[];
  /** By the name of the method; those of `new` by `new` and the name of the class. */
  readonly #calls = new Map<string, Call[]>();

  constructor(expressions: ExpressionReader, entities: readonly EntityFact[]) {
    this.#expressions = expressions;
    this.#entities = entities;
  }

  add(call: Node, scope: Scope): void {
    const list = call.childForFieldName("arguments");
    const name = call.childForFieldName("method")?.text;
    const receiver = call.childForFieldName("receiver");
    if (!list || name === undefined || (receiver && receiver.type !== "self" && name !== "new")) return;
    const ofClass = receiver && receiver.type !== "self" ? receiver.text.split("::").at(-1) : undefined;
    const made = ofClass ?? this.#entities[scope.self]?.name ?? "";
    const key = name === "new" ? `new ${made}` : name;
    const known = this.#calls.get(key) ?? [];
    this.#calls.set(key, known);
    if (known.length < MAX_CALLS) known.push({ list, scope });
  }

  /** Values that a member of a `Struct` is made with, by its position or its name. */
  valuesOfMember(type: string, at: number, name: string): Expression[] {
    const calls = this.#calls.get(`new ${type}`) ?? this.#calls.get(`[] ${type}`) ?? [];
    return calls.flatMap(({ list, scope }) => {
      const pair = list.namedChildren.find(
        (each) => each.type === "pair" && each.childForFieldName("key")?.text.replace(/^:/, "") === name,
      );
      const placed = list.namedChildren.slice(0, at + 1).every(({ type: form }) => form !== "splat_argument");
      const other = placed && list.namedChildren[at]?.type !== "pair" ? list.namedChildren[at] : undefined;
      const argument = pair?.childForFieldName("value") ?? other;
      const value = argument && this.#expressions.value(argument, scope);
      return value && value[0] !== TAG.freeName && hasAtMost(value, MAX_PARTS) ? [value] : [];
    });
  }

  /** Values that the parameter of a method may have, the first one first. */
  valuesOf(method: EntityFact, parameter: Node): Expression[] {
    const owner = this.#entities[method.parent];
    const key = method.name === "initialize" ? `new ${owner?.name}` : method.name;
    const calls = this.#calls.get(key) ?? [];
    const isOnly = this.#entities.filter(({ name }) => name === (key === method.name ? key : owner?.name)).length === 1;
    const found: Expression[] = [];
    for (const { list, scope } of calls) {
      if (!isOnly && scope.self !== method.parent) continue;
      const argument = argumentFor(parameter, list);
      const value = argument && this.#expressions.value(argument, scope);
      if (!value || value[0] === TAG.freeName || !hasAtMost(value, MAX_PARTS) || isAmong(value, found)) continue;
      found.push(value);
      if (found.length === MAX_VALUES) break;
    }
    return found;
  }
}

function isAmong(value: Expression, found: readonly Expression[]): boolean {
  const text = JSON.stringify(value);
  return found.some((each) => JSON.stringify(each) === text);
}

/** By position, or by name for a parameter with a name of its own (`x:`). */
function argumentFor(parameter: Node, list: Node): Node | null | undefined {
  if (parameter.type === "keyword_parameter") {
    const name = parameter.childForFieldName("name")?.text;
    const pair = list.namedChildren.find(
      (each) => each.type === "pair" && each.childForFieldName("key")?.text.replace(/^:/, "") === name,
    );
    return pair?.childForFieldName("value");
  }
  const parameters = parameter.parent?.namedChildren ?? [];
  const at = parameters.findIndex(({ id }) => id === parameter.id);
  const others = parameters.slice(0, at);
  const before = list.namedChildren.slice(0, at + 1);
  const isPlaced = others.every(({ type }) => type === "identifier" || type === "optional_parameter");
  if (at < 0 || !isPlaced || before.some(({ type }) => type === "splat_argument")) return undefined;
  const given = before[at];
  return given?.type === "pair" || given?.type === "block_argument" ? undefined : given;
}
