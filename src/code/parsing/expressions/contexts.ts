/**
 * Reads the type that the context expects of a function expression: that of the variable, field, argument, member or
 * result that it is. Its parameters have no types of their own (TypeScript's contextual typing).
 */
import { type Expression, type Given, hasAtMost, TAG } from "../../expression.ts";
import type { NodeTypes } from "../../languages/node_types.ts";
import type { Node } from "../../syntax/tree.ts";
import type { Scope } from "./scopes.ts";
import { MAX_DEPTH } from "./types/type_reader.ts";

/** Statements around a returned value that are looked through for its function. */
const MAX_STATEMENTS = 100;
/** A context repeats those around it: a chain of them would grow with each step. */
const MAX_PARTS = 150;

const FUNCTION = /^(function_declaration|generator_function_declaration|method_definition)$/;
/** Have the value of one of their parts. */
const PASSES_ON =
  /^(parenthesized_expression|non_null_expression|await_expression|ternary_expression|binary_expression)$/;
/** Declare a name with a type and a value. */
const DECLARES = /^(variable_declarator|public_field_definition|required_parameter|optional_parameter)$/;

/** The part of the reader of expressions that is needed here. */
interface ContextInput {
  language: { nodes: NodeTypes };
  shapes: { read(node: Node, scope: Scope): Expression | undefined } | undefined;
  value(node: Node, scope: Scope): Expression | undefined;
  /** The arguments of a call, without functions whose parameters the call itself types. */
  given(call: Node, callee: Expression, scope: Scope): Given | undefined;
}

export class ContextReader {
  readonly #in: ContextInput;
  /** Values of objects, by their nodes; undefined also while one is read. */
  readonly #objects = new Map<number, Expression | undefined>();

  constructor(input: ContextInput) {
    this.#in = input;
  }

  /** A parameter of a function expression, by its position. */
  parameter(fn: Node, index: number, scope: Scope): Expression | undefined {
    const expected = this.#expected(fn, scope, 0);
    return expected && hasAtMost(expected, MAX_PARTS) ? [TAG.contextParameter, expected, index] : undefined;
  }

  /** The member that the expected type of the object has in place of a function in it. */
  member(fn: Node, scope: Scope): Expression | undefined {
    const expected = this.#expected(fn, scope, 0);
    return expected?.[0] === TAG.member && hasAtMost(expected, MAX_PARTS) ? expected : undefined;
  }

  /** `this` in a function that is a member of an object in place. */
  self(member: Node, scope: Scope): Expression | undefined {
    const object = member.parent;
    const fn = member.type === "pair" ? member.childForFieldName("value") : member;
    if (object?.type !== "object" || !fn) return undefined;
    const whole = this.#expected(object, scope, 0) ?? this.#object(object, scope);
    const self: Expression = [TAG.contextSelf, this.#expected(fn, scope, 0) ?? null, whole ?? null];
    return whole && hasAtMost(self, 2 * MAX_PARTS) ? self : undefined;
  }

  #object(object: Node, scope: Scope): Expression | undefined {
    if (!this.#objects.has(object.id)) {
      this.#objects.set(object.id, undefined);
      this.#objects.set(object.id, this.#in.value(object, scope));
    }
    return this.#objects.get(object.id);
  }

  #expected(node: Node, scope: Scope, depth: number): Expression | undefined {
    const { parent } = node;
    if (!parent || depth > MAX_DEPTH) return undefined;
    const kind = parent.type;
    const is = (field: string): boolean => parent.childForFieldName(field)?.id === node.id;
    if (PASSES_ON.test(kind)) return is("condition") ? undefined : this.#expected(parent, scope, depth + 1);
    if (kind === "as_expression" || kind === "satisfies_expression") {
      const type = parent.namedChildren[1];
      return type ? this.#in.shapes?.read(type, scope) : this.#expected(parent, scope, depth + 1);
    }
    if (DECLARES.test(kind)) {
      const type = is("value") ? parent.childForFieldName("type") : null;
      return type ? this.#in.shapes?.read(type, scope) : undefined;
    }
    if (kind === "assignment_expression") {
      const left = is("right") ? parent.childForFieldName("left") : null;
      return left ? this.#in.value(left, scope) : undefined;
    }
    if (kind === "arguments") return this.#argument(parent, node, scope);
    if (kind === "object" && node.type === "method_definition") return this.#member(parent, node, "name", scope, depth);
    if (kind === "pair" && parent.parent) return this.#member(parent.parent, parent, "key", scope, depth);
    if (kind === "array") return wrapped(TAG.element, this.#expected(parent, scope, depth + 1));
    if (kind === "return_statement") return this.#returned(parent, scope, depth);
    if (kind === "arrow_function" && is("body")) return this.#result(parent, scope, depth);
    if (kind === "jsx_expression" && parent.parent?.type === "jsx_attribute")
      return this.#attribute(parent.parent, scope);
    return undefined;
  }

  #argument(list: Node, argument: Node, scope: Scope): Expression | undefined {
    const call = list.parent;
    const field = call && (this.#in.language.nodes.calls[call.type] ?? this.#in.language.nodes.news[call.type]);
    const callee = typeof field === "string" ? call?.childForFieldName(field) : undefined;
    const of = callee && this.#in.value(callee, scope);
    const at = list.namedChildren.filter(({ type }) => type !== "comment").findIndex(({ id }) => id === argument.id);
    if (!of || at < 0) return undefined;
    const given = call && this.#in.given(call, of, scope);
    return given ? [TAG.argument, of, at, given] : [TAG.argument, of, at];
  }

  #member(object: Node, part: Node, field: string, scope: Scope, depth: number): Expression | undefined {
    const name = part.childForFieldName(field);
    if (name?.type !== "property_identifier" && name?.type !== "string") return undefined;
    const of = this.#expected(object, scope, depth + 1);
    return of && [TAG.member, of, name.type === "string" ? name.text.slice(1, -1) : name.text];
  }

  /** A component takes its attributes as one object. */
  #attribute(attribute: Node, scope: Scope): Expression | undefined {
    const name = attribute.namedChildren[0];
    const component = attribute.parent?.childForFieldName("name");
    const of = component && /^\p{Lu}|\./u.test(component.text) ? this.#in.value(component, scope) : undefined;
    return of && name ? [TAG.member, [TAG.argument, of, 0], name.text] : undefined;
  }

  #returned(statement: Node, scope: Scope, depth: number): Expression | undefined {
    let at = statement.parent;
    for (let steps = 0; at && steps < MAX_STATEMENTS; steps += 1) {
      if (FUNCTION.test(at.type) || this.#in.language.nodes.functions.has(at.type))
        return this.#result(at, scope, depth);
      at = at.parent;
    }
    return undefined;
  }

  /** The result that a function states, or that its own context expects of it. */
  #result(fn: Node, scope: Scope, depth: number): Expression | undefined {
    const stated = fn.childForFieldName("return_type");
    const expected = stated ? undefined : this.#expected(fn, scope, depth + 1);
    const result = stated ? this.#in.shapes?.read(stated, scope) : wrapped(TAG.call, expected);
    return fn.children.some(({ type }) => type === "async") ? wrapped(TAG.awaited, result) : result;
  }
}

function wrapped(
  tag: typeof TAG.element | typeof TAG.call | typeof TAG.awaited,
  of: Expression | undefined,
): Expression | undefined {
  return of && [tag, of];
}
