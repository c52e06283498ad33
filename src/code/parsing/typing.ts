/** What definitions are worth and return, by what the text states or shows. */
import type { Node } from "web-tree-sitter";
import type { EntityFact, Expression } from "../facts.ts";
import type { Language } from "../languages/language.ts";
import type { ExpressionReader } from "./expression_reader.ts";
import type { Scope } from "./scopes.ts";

const GETTER = /^(@[\w.]*property\b|(public |private |protected |static |override )*get\s)/;

export class Typing {
  readonly #language: Language;
  readonly #expressions: ExpressionReader;

  constructor(language: Language, expressions: ExpressionReader) {
    this.#language = language;
    this.#expressions = expressions;
  }

  isFunction(node: Node): boolean {
    return this.#language.nodes.functions.has(node.type);
  }

  value(node: Node): Node | null {
    for (const field of this.#language.nodes.fields.value) {
      const value = node.childForFieldName(field);
      if (value) return value;
    }
    return null;
  }

  body(node: Node): Node | null {
    for (const field of this.#language.nodes.fields.body) {
      const body = node.childForFieldName(field);
      if (body) return body;
    }
    const value = this.value(node);
    return value && this.isFunction(value) ? value.childForFieldName("body") : null;
  }

  typed(type: Node | null, value: Node | null, scope: Scope): Expression | undefined {
    return (type && this.#expressions.type(type, scope)) ?? (value ? this.#expressions.value(value, scope) : undefined);
  }

  returns(entity: EntityFact, node: Node, scope: Scope): void {
    this.#takes(entity, node, scope);
    for (const field of this.#language.nodes.fields.returns) {
      const stated = node.childForFieldName(field);
      if (!stated) continue;
      const type = this.#expressions.type(stated, scope);
      if (type) entity.returns = type;
      else entity.returns = ["n", "?"];
      break;
    }
    const body = node.childForFieldName("body");
    if (!entity.returns && node.type === "arrow_function" && body && body.type !== "statement_block") {
      const worth = this.#expressions.value(body, scope);
      if (worth) entity.returns = worth;
    }
    if (entity.returns && GETTER.test(entity.signature)) {
      entity.value = entity.returns;
    }
  }

  /** Of parameters that are functions, what those are given. */
  #takes(entity: EntityFact, node: Node, scope: Scope): void {
    const { types, fields } = this.#language.nodes;
    if (types.functions.size === 0) return;
    for (const [place, parameter] of (node.childForFieldName("parameters")?.namedChildren ?? []).entries()) {
      let stated = parameter?.childForFieldName(fields.type) ?? null;
      while (stated && (types.around.has(stated.type) || types.union.has(stated.type))) {
        const sides: (Node | null)[] = stated.namedChildren;
        stated = sides.find((side) => side && /function_type|parenthesized_type/.test(side.type)) ?? null;
      }
      if (!stated || !types.functions.has(stated.type)) continue;
      const inner = stated.childForFieldName("parameters")?.namedChildren ?? [];
      const given = inner.filter((each) => each && each.childForFieldName("pattern")?.type !== "this");
      entity.takes ??= {};
      entity.takes[place] = given.map((each) => {
        const type = each?.childForFieldName(fields.type);
        return (type && this.#expressions.type(type, scope)) ?? null;
      });
    }
  }

  alias(entity: EntityFact, node: Node, scope: Scope): void {
    const { fields, types } = this.#language.nodes;
    const value = this.value(node);
    if (entity.kind === "type") {
      const worth =
        value && !types.records.has(value.type) ? this.#expressions.type(value, scope.parent ?? scope) : undefined;
      if (worth) entity.value = worth;
      return;
    }
    const worth = this.typed(node.childForFieldName(fields.type), value, scope.parent ?? scope);
    if (worth) entity.value = worth;
  }
}
