/** Values and return types of definitions, as stated or as inferred from the text. */

import { BLOCK, type Expression, type FunctionType, RECEIVER, TAG } from "../../../expression.ts";
import type { EntityFact } from "../../../facts.ts";
import { expressionOf } from "../../../languages/kotlin/nodes.ts";
import type { Delegates, Language } from "../../../languages/language.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { ExpressionReader } from "../expression_reader.ts";
import { statedBeside } from "../ruby/comments.ts";
import type { Scope } from "../scopes.ts";
import { documentedType, documentsReceiver } from "./documented_types.ts";
import { pythonSignature } from "./signatures.ts";

/** A declared name with its value, inside the declaration that has the type. */
const DECLARATOR = "variable_declarator";
/** Python: the class itself, of which instances are of a type. */
const CLASS_OF = /^(?:\w+\.)?[Tt]ype\[(\w+)\]$/;
const MAX_TYPE_CHARS = 80;
const GETTER = /^(@[\w.]*property\b|(public |private |protected |static |override )*get\s)/;

/** JavaScript: the object that a value is, without what only states its type. */
export function objectIn(value: Node): Node | undefined {
  let at: Node | undefined = value;
  while (at && /^(?:satisfies|as|parenthesized)_expression$/.test(at.type)) at = at.namedChildren[0];
  return at?.type === "object" ? at : undefined;
}

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
    if (this.#language.readValue) return this.#language.readValue(node);
    // C# has no field for the value of a declared name.
    const last = node.type === DECLARATOR && node.namedChildCount > 1 ? node.namedChildren.at(-1) : undefined;
    return this.#language.family === "csharp" ? (last ?? null) : null;
  }

  /** The type that is written for a definition; some grammars have it around the declared name. */
  stated(node: Node): Node | null {
    if (this.#language.statedType) return this.#language.statedType(node);
    const { type } = this.#language.nodes.fields;
    const stated =
      node.childForFieldName(type) ?? (node.type === DECLARATOR ? node.parent?.childForFieldName(type) : null);
    return !stated || stated.type === "implicit_type" || /^(var|auto)$/.test(stated.text) ? null : stated;
  }

  body(node: Node): Node | null {
    for (const field of this.#language.nodes.fields.body) {
      const body = node.childForFieldName(field);
      if (body) return body;
    }
    const value = this.value(node);
    return value && this.isFunction(value) ? value.childForFieldName("body") : null;
  }

  /** The stated type, or else the value; a type without a name comes last. */
  typed(type: Node | null, value: Node | null, scope: Scope): Expression | undefined {
    const isObject = value && this.#language.family === "ecmascript" && objectIn(value);
    const open =
      type && value ? this.#language.openType?.(type, () => this.#expressions.value(value, scope)) : undefined;
    return (
      open ??
      (type && this.#expressions.type(type, scope)) ??
      (type && isObject ? this.#expressions.shapes?.read(type, scope) : undefined) ??
      (value ? this.#expressions.value(value, scope) : undefined) ??
      (type ? this.#expressions.shapes?.read(type, scope) : undefined)
    );
  }

  setReturns(entity: EntityFact, node: Node, scope: Scope): void {
    this.#readCallbacks(entity, node, scope);
    this.#readExtension(entity, node, scope);
    if (this.#language.readGeneric) entity.generic = this.#language.readGeneric(node);
    const told =
      this.#statedReturns(node, scope) ??
      entity.returns ??
      this.#documentedReturns(node, scope) ??
      this.#impliedReturns(entity.name, node, scope);
    if (told) entity.returns = told;
    if (this.#language.returnsLast) this.#readBeside(entity, node, scope);
    const only = entity.returns ? null : expressionOf(node.namedChildren.at(-1));
    const value = only && this.#expressions.value(only, scope);
    if (value) entity.returns = value;
    if (entity.returns) this.setResult(entity, entity.returns);
    if (!this.#language.explicitSelf) return;
    const type = pythonSignature(entity, node, (each) => this.#expressions.type(each, scope));
    if (type) entity.type = type;
  }

  #statedReturns(node: Node, scope: Scope): Expression | undefined {
    const results = this.#language.nodes.fields.returns.map((field) => node.childForFieldName(field));
    // C++: `auto run()` has the type of what it returns.
    const stated = [this.#language.statedResult?.(node), ...results].find(
      (each) => each && each.type !== "placeholder_type_specifier",
    );
    if (!stated) return undefined;
    const type = this.#returnsSelf(node, stated) ? RECEIVER : this.#stated(stated, scope);
    const documented = type && !this.#isPhp ? undefined : this.#documentedReturns(node, scope);
    const known = narrowed(type, documented) ?? documented ?? this.#expressions.shapes?.read(stated, scope);
    return known ?? [TAG.freeName, "?"];
  }

  #documentedReturns(node: Node, scope: Scope): Expression | undefined {
    if (this.#isPhp && documentsReceiver(node)) return RECEIVER;
    return documentedType(this.#expressions, node, "returns", scope);
  }

  get #isPhp(): boolean {
    return this.#language.family === "php";
  }

  /** The value of a body that is an expression, or of the last one in it. */
  #impliedReturns(name: string, node: Node, scope: Scope): Expression | undefined {
    const body = node.childForFieldName("body");
    if (!this.#language.returnsLast) {
      if (body && isArrow(node, this.#language) && !/block$/.test(body.type)) return this.returned(body, scope);
      return body && node.type === "closure_expression" ? this.#expressions.value(body, scope) : undefined;
    }
    const value = body && name !== "initialize" ? this.#expressions.value(body, scope) : undefined;
    if (value) return value;
    // `define_method(:x) { … }`; `super` is the method of the base.
    const isSuper = body?.namedChildren.at(-1)?.type === "super" && scope.self >= 0;
    if (isSuper) return [TAG.call, [TAG.member, [TAG.base, scope.self], name]];
    return node.type === "call" ? this.#expressions.functionResult(node, scope) : undefined;
  }

  /** Ruby: what a comment or signature says, where the method itself does not tell. */
  #readBeside(entity: EntityFact, method: Node, scope: Scope): void {
    const result = statedBeside(this.#expressions, method, "return", scope);
    if (result) entity.returns = entity.returns ? [TAG.either, entity.returns, result] : result;
    const passed = entity.takes?.[BLOCK] ? undefined : statedBeside(this.#expressions, method, "yieldparam", scope);
    if (passed) entity.takes = { ...entity.takes, [BLOCK]: [passed] };
  }

  /** The result of a getter is its value. */
  setResult(entity: EntityFact, result: Expression): void {
    entity.returns = result;
    if (GETTER.test(entity.signature)) entity.value = result;
  }

  #stated(stated: Node, scope: Scope): Expression | undefined {
    const checked = this.#language.readVerdict?.(stated);
    const type = checked && this.#expressions.type(checked, scope);
    return type ? [TAG.verdict, type] : this.#expressions.type(stated, scope);
  }

  /** Python: `def add(self: T) -> T`, `def make(cls: type[T]) -> T`; PHP: `static`. */
  #returnsSelf(node: Node, stated: Node): boolean {
    if (this.#isPhp) return stated.text === "static";
    if (!this.#language.explicitSelf) return false;
    const first = node.childForFieldName("parameters")?.namedChildren[0];
    const type = first?.type === "typed_parameter" ? first.childForFieldName("type") : null;
    if (!type || type.endIndex - type.startIndex > MAX_TYPE_CHARS) return false;
    return (CLASS_OF.exec(type.text)?.[1] ?? type.text) === stated.text;
  }

  /** A returned value, which may be a function. */
  returned(value: Node, scope: Scope): Expression | undefined {
    if (this.#isPhp && value.text === "$this") return RECEIVER;
    return this.isFunction(value)
      ? this.#expressions.functionType(value, scope)
      : this.#expressions.value(value, scope);
  }

  #readExtension(entity: EntityFact, node: Node, scope: Scope): void {
    const { extensionModifier, nodes } = this.#language;
    const extended = this.#language.extendedType?.(node);
    if (extended) entity.extends = this.#expressions.type(extended, scope) ?? [TAG.freeName, "?"];
    if (extensionModifier === undefined) return;
    const first = node.childForFieldName("parameters")?.namedChildren[0];
    if (!first?.namedChildren.some(({ type, text }) => type === "modifier" && text === extensionModifier)) return;
    const type = first.childForFieldName(nodes.fields.type);
    entity.extends = (type && this.#expressions.type(type, scope)) ?? [TAG.freeName, "?"];
  }

  /** Records the types of the arguments that callback parameters receive. */
  #readCallbacks(entity: EntityFact, node: Node, scope: Scope): void {
    const { delegates, callForms } = this.#language;
    for (const [at, list] of Object.entries(callForms?.closureTypes(node) ?? {})) {
      entity.takes ??= {};
      entity.takes[Number(at)] = list.map((each) => this.#expressions.type(each, scope) ?? null);
    }
    const type = this.#expressions.shapes?.parameters(node, scope) ?? this.#parameters(node, scope);
    if (type) entity.type = type;
    if (!delegates) return;
    for (const [index, parameter] of (node.childForFieldName("parameters")?.namedChildren ?? []).entries()) {
      const delegate = parameter && this.#delegate(parameter, delegates, scope);
      if (!delegate) continue;
      entity.takes ??= {};
      entity.takes[index] = delegate;
    }
  }

  /** C#: the types of what a function takes. */
  #parameters(fn: Node, scope: Scope): FunctionType | undefined {
    const stated = this.#language.parameterTypes?.(fn);
    if (!stated) return undefined;
    const types = stated.types.map((each) => (each && this.#expressions.type(each, scope)) ?? null);
    const rest = stated.rest && this.#expressions.type(stated.rest, scope);
    while (types.length > 0 && !types.at(-1) && !rest) types.pop();
    return types.length > 0 || rest ? [TAG.functionType, types, null, rest ? [TAG.element, rest] : null] : undefined;
  }

  /** The types of the arguments that a generic function type passes: `Action<T>`, `Function<T, R>`. */
  #delegate(parameter: Node, delegates: Delegates, scope: Scope): (Expression | null)[] | undefined {
    const type = parameter.childForFieldName(this.#language.nodes.fields.type);
    const name = type && this.#language.nodes.types.generic.has(type.type) ? type.namedChildren[0]?.text : undefined;
    const taken = name === undefined ? undefined : delegates[name];
    const list = type?.namedChildren.at(-1)?.namedChildren;
    if (taken === undefined || !list) return undefined;
    return list
      .slice(0, taken < 0 ? list.length + taken : taken)
      .map((each) => (each && this.#expressions.type(each, scope)) ?? null);
  }

  setValue(entity: EntityFact, node: Node, scope: Scope): void {
    if (node.type === "delegate_declaration") {
      const type = this.#parameters(node, scope);
      const result = this.stated(node);
      entity.type = [
        TAG.functionType,
        type?.[1] ?? [],
        (result && this.#expressions.type(result, scope)) ?? null,
        null,
      ];
      return;
    }
    const { types } = this.#language.nodes;
    const stated = this.value(node);
    const outer = scope.parent ?? scope;
    if (entity.kind !== "type") {
      const alias = stated && this.#language.aliasedType?.(stated);
      // The members of an object are those of the constant.
      const own = stated && this.#language.family === "ecmascript" && objectIn(stated) ? null : stated;
      const documented = documentedType(this.#expressions, node, "type", outer);
      const value = alias
        ? this.#expressions.type(alias, outer)
        : (documented ?? this.typed(this.stated(node), own, outer));
      if (value) entity.value = value;
      return;
    }
    if (stated && (!types.records.has(stated.type) || this.#expressions.shapes?.isIndexed(stated))) {
      const value = this.#expressions.type(stated, scope) ?? this.#expressions.shapes?.alias(stated, scope);
      if (value) entity.value = value;
    }
    this.setCalled(entity, stated, scope);
  }

  /** The call signatures of an interface or object type. */
  setCalled(entity: EntityFact, body: Node | null, scope: Scope): void {
    const type = body ? this.#expressions.shapes?.called(body, scope) : undefined;
    if (type) entity.type = type;
  }
}

/** PHP: a comment may say more about a list than its stated type, or name a subclass of it. */
function narrowed(type: Expression | undefined, documented: Expression | undefined): Expression | undefined {
  if (!type || !documented || type === RECEIVER) return type;
  const isHeld = documented[0] === TAG.ofType && documented[2].length > 0;
  if (isHeld || documented === RECEIVER) return documented;
  const isSame = JSON.stringify(type) === JSON.stringify(documented);
  return isSame ? type : [TAG.checked, type, [TAG.either, documented, type]];
}

function isArrow({ type }: Node, { family }: Language): boolean {
  return type === "arrow_function" || (type === "lambda_expression" && family === "csharp");
}
