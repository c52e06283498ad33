/** Reads types without a name: function types, object types, unions and intersections. TypeScript only. */
import { type Expression, type FunctionType, hasAtMost, listOf, TAG } from "../../../expression.ts";
import type { NodeTypes } from "../../../languages/node_types.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Scope } from "../scopes.ts";
import { MAX_DEPTH } from "./type_reader.ts";
import { isPrimitive } from "./unions.ts";

const MAX_SIDES = 6;
/** An intersection needs no choice between its parts, so more of them are kept. */
const MAX_INTERSECTED = 16;
const MAX_MEMBERS = 64;
const MAX_PARAMETERS = 16;
const MAX_SIGNATURES = 64;
/** A larger type is not kept. */
const MAX_PARTS = 400;

/** Have the type of one of their parts, or only hold it. */
const PASSES_ON =
  /^(type_annotation|parenthesized_type|readonly_type|required_parameter|optional_parameter|generic_type|object_type)$/;
const AWAITED = /^(Promise|PromiseLike|Awaited)$/;
const LISTED = /^((Readonly)?(Array|Set)|Iterable|AsyncIterable|IterableIterator|Generator|AsyncGenerator)$/;

type ReadType = (node: Node, scope: Scope, depth: number) => Expression | undefined;

export class ShapeReader {
  readonly #nodes: NodeTypes;
  readonly #named: ReadType;
  /** Slots of members of object types, functions of objects, and classes in place that are definitions, by their nodes. */
  readonly #defined = new Map<number, number>();

  /** `named` reads types that have a name. */
  constructor(nodes: NodeTypes, named: ReadType) {
    this.#nodes = nodes;
    this.#named = named;
  }

  /** The node is a definition of the file. */
  define(member: Node, slot: number): void {
    this.#defined.set(member.id, slot);
  }

  definition(member: Node): Expression | undefined {
    const slot = this.#defined.get(member.id);
    return slot === undefined ? undefined : [TAG.definition, slot];
  }

  /** The type that an `infer` stands for: the part of the type in question that is at its place. */
  inferred(infer: Node, scope: Scope): Expression | undefined {
    const { parent } = infer;
    const shape = parent && this.#partAt(infer, parent, scope, 0);
    return shape && hasAtMost(shape, MAX_PARTS) ? shape : undefined;
  }

  #partAt(node: Node, parent: Node, scope: Scope, depth: number): Expression | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const is = (field: string): boolean => parent.childForFieldName(field)?.id === node.id;
    if (parent.type === "conditional_type") {
      const left = is("right") ? parent.childForFieldName("left") : null;
      return left ? this.#read(left, scope, depth + 1) : undefined;
    }
    const outer = parent.parent;
    const whole = outer && this.#partAt(parent, outer, scope, depth + 1);
    if (!whole) return undefined;
    if (this.#nodes.types.array.has(parent.type)) return [TAG.element, whole];
    if (this.#nodes.types.functions.has(parent.type)) return is("return_type") ? [TAG.call, whole] : whole;
    if (parent.type === "formal_parameters") {
      const at = parent.namedChildren.findIndex(({ id }) => id === node.id);
      return node.childForFieldName("pattern")?.type === "rest_pattern" ? undefined : [TAG.argument, whole, at];
    }
    if (parent.type === "type_arguments" && outer.namedChildren[0]) {
      const name = outer.namedChildren[0].text;
      return AWAITED.test(name) ? [TAG.awaited, whole] : LISTED.test(name) ? [TAG.element, whole] : undefined;
    }
    if (parent.type === "property_signature") {
      const name = parent.childForFieldName("name")?.text;
      return name === undefined ? undefined : [TAG.member, whole, name];
    }
    return PASSES_ON.test(parent.type) ? whole : undefined;
  }

  read(node: Node, scope: Scope, depth = 0): Expression | undefined {
    const shape = this.#read(node, scope, depth);
    return shape && hasAtMost(shape, MAX_PARTS) ? shape : undefined;
  }

  /** The type behind an alias, without the object types among its sides: their members are those of the alias. */
  alias(node: Node, scope: Scope): Expression | undefined {
    if (!isSided(node)) return this.read(node, scope);
    const named = sidesOf(node).filter((side) => !this.#nodes.types.records.has(side.type) || this.isIndexed(side));
    const shape = this.#sides(node, named, scope, 0);
    return shape && hasAtMost(shape, MAX_PARTS) ? shape : undefined;
  }

  /** Whether an object type has no members of its own, but those of another type, or any. */
  isIndexed(node: Node): boolean {
    const parts = node.namedChildren.filter(({ type }) => type !== "comment");
    return parts.length === 1 && parts[0]?.type === "index_signature";
  }

  /** The types of a function's parameters; undefined if none is known. */
  parameters(fn: Node, scope: Scope): FunctionType | undefined {
    const { list, rest, self } = this.#parameters(fn, scope, 0);
    const type = functionOf(list, null, rest, self);
    return (rest || self || list.some(Boolean)) && hasAtMost(type, MAX_PARTS) ? type : undefined;
  }

  /** The type of a function, as far as it is stated. */
  functionType(fn: Node, scope: Scope): FunctionType | undefined {
    const { list, rest, self } = this.#parameters(fn, scope, 0);
    const type = functionOf(list, this.#result(fn, scope, 0) ?? null, rest, self);
    return hasAtMost(type, MAX_PARTS) ? type : undefined;
  }

  /** The call signatures of an object type as one: all that they take, and the result of the first. */
  called(body: Node, scope: Scope): FunctionType | undefined {
    const signatures = signaturesIn(body);
    const [first, second] = signatures;
    if (!first) return undefined;
    if (!second) return this.functionType(first, scope);
    const [sides, rests]: [Sides[], Sides] = [[], new Map()];
    for (const signature of signatures) {
      const { list, rest } = this.#parameters(signature, scope, 0);
      for (const [at, type] of list.entries()) {
        sides[at] ??= new Map();
        addSide(sides[at], type);
      }
      addSide(rests, rest);
    }
    const all = sides.map((each) => together(new Map([...each, ...rests])));
    const results: Sides = new Map();
    addSide(results, this.#result(first, scope, 0) ?? null);
    const type: FunctionType = [TAG.functionType, all, together(results), together(rests)];
    return hasAtMost(type, MAX_PARTS) ? type : undefined;
  }

  #read(node: Node, scope: Scope, depth: number): Expression | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const { types } = this.#nodes;
    const inner = node.namedChildren[0];
    if (types.around.has(node.type)) return inner && this.#read(inner, scope, depth + 1);
    if (types.functions.has(node.type) || node.type === CONSTRUCTOR) {
      const { list, rest, self } = this.#parameters(node, scope, depth);
      return functionOf(list, this.#result(node, scope, depth) ?? null, rest, self);
    }
    if (types.records.has(node.type)) return this.#record(node, scope, depth);
    if (node.type === "conditional_type") {
      const sides = ["consequence", "alternative"].flatMap((field) => node.childForFieldName(field) ?? []);
      return this.#sides(node, sides, scope, depth);
    }
    if (types.array.has(node.type)) {
      const of = inner && this.#read(inner, scope, depth + 1);
      return listOf(of ?? null);
    }
    return isSided(node) ? this.#sides(node, sidesOf(node), scope, depth) : this.#named(node, scope, depth);
  }

  #sides(node: Node, sides: readonly Node[], scope: Scope, depth: number): Expression | undefined {
    const read = sides
      .filter(({ text }) => !isPrimitive(text))
      .slice(0, node.type === "intersection_type" ? MAX_INTERSECTED : MAX_SIDES)
      .map((side) => this.#read(side, scope, depth + 1))
      .filter((side) => side !== undefined);
    if (read.length < 2) return read[0];
    return node.type === "intersection_type" ? [TAG.bounds, read] : [TAG.union, read];
  }

  #parameters(fn: Node, scope: Scope, depth: number): Parameters {
    const list: (Expression | null)[] = [];
    let rest: Expression | null = null;
    let self: Expression | undefined;
    for (const each of fn.childForFieldName("parameters")?.namedChildren.slice(0, MAX_PARAMETERS) ?? []) {
      const pattern = each.childForFieldName("pattern");
      if (!pattern) continue;
      const stated = each.childForFieldName("type")?.namedChildren[0];
      if (pattern.type === "this") self = stated && this.#read(stated, scope, depth + 1);
      else if (pattern.type !== "rest_pattern") {
        list.push((stated && this.#read(stated, scope, depth + 1)) ?? null);
      } else if (stated?.type === "tuple_type") {
        for (const part of stated.namedChildren.slice(0, MAX_PARAMETERS))
          list.push(this.#read(part, scope, depth + 1) ?? null);
      } else if (stated) {
        const whole = this.#read(stated, scope, depth + 1);
        const isArray = this.#nodes.types.array.has(stated.type) && whole?.[0] === TAG.ofType;
        rest = isArray ? (whole[2][0] ?? null) : whole ? [TAG.element, whole] : null;
      }
    }
    while (list.length > 0 && !list.at(-1) && !rest) list.pop();
    return { list, rest, self };
  }

  #result(fn: Node, scope: Scope, depth: number): Expression | undefined {
    const stated = fn.childForFieldName(fn.type.startsWith("construct") ? "type" : "return_type");
    return stated ? this.#read(stated, scope, depth + 1) : undefined;
  }

  #record(node: Node, scope: Scope, depth: number): Expression | undefined {
    const indexed = node.namedChildren.find(({ type }) => type === "index_signature");
    const members = this.#members(node, scope, depth);
    return members ?? (indexed ? this.#indexed(indexed, scope, depth) : this.called(node, scope));
  }

  /** `{ [name: string]: T }`; `{ [K in …]: T[K] }` has members of `T`. */
  #indexed(node: Node, scope: Scope, depth: number): Expression | undefined {
    const stated = node.childForFieldName("type")?.namedChildren[0];
    const mapped = node.namedChildren.find(({ type }) => type === "mapped_type_clause");
    const [of, index] = stated?.type === "lookup_type" ? stated.namedChildren : [];
    if (of && index && index.text === mapped?.childForFieldName("name")?.text) return this.#read(of, scope, depth + 1);
    const value = stated && this.#read(stated, scope, depth + 1);
    return value && [TAG.ofType, [TAG.freeName, "Record"], [null, value]];
  }

  #members(node: Node, scope: Scope, depth: number): Expression | undefined {
    const members = node.namedChildren.slice(0, MAX_MEMBERS).flatMap((each): [string, Expression][] => {
      const name = each.childForFieldName("name")?.text;
      if (name === undefined || each.type === "index_signature") return [];
      const defined = this.definition(each);
      if (defined) return [[name, defined]];
      const stated = each.childForFieldName("type");
      const { list, rest } = this.#parameters(each, scope, depth);
      const value: Expression | undefined =
        each.type === "method_signature"
          ? [TAG.functionType, list, this.#result(each, scope, depth) ?? null, rest]
          : stated
            ? this.#read(stated, scope, depth + 1)
            : undefined;
      return value ? [[name, value]] : [];
    });
    return members.length > 0 ? [TAG.record, members] : undefined;
  }
}

/** A class that is expected somewhere has a function type: its result is an instance. */
const CONSTRUCTOR = "constructor_type";

/** Calls of an object type, or else what `new` makes of it. */
function signaturesIn(body: Node): Node[] {
  const parts = body.namedChildren.filter(({ type }) => type === "call_signature" || type === "construct_signature");
  const calls = parts.filter(({ type }) => type === "call_signature");
  return (calls.length > 0 ? calls : parts).slice(0, MAX_SIGNATURES);
}

interface Parameters {
  list: (Expression | null)[];
  rest: Expression | null;
  self: Expression | undefined;
}

function functionOf(
  list: (Expression | null)[],
  result: Expression | null,
  rest: Expression | null,
  self: Expression | undefined,
): FunctionType {
  return self ? [TAG.functionType, list, result, rest, self] : [TAG.functionType, list, result, rest];
}

type Sides = Map<string, Expression>;

/** Overloads most often differ in type arguments alone, which are left out here. */
function addSide(sides: Sides, type: Expression | null): void {
  if (!type || sides.size >= MAX_SIDES) return;
  const main = type[0] === TAG.bounds ? type[1][0] : type;
  const side: Expression | undefined = main?.[0] === TAG.ofType && !isList(main[1]) ? [TAG.ofType, main[1], []] : main;
  if (side) sides.set(JSON.stringify(side), side);
}

function isList(head: Expression): boolean {
  return head[0] === TAG.freeName && head[1] === "[]";
}

function together(sides: Sides): Expression | null {
  const all = [...sides.values()].slice(0, MAX_SIDES);
  return all.length > 1 ? [TAG.union, all] : (all[0] ?? null);
}

function isSided({ type }: Node): boolean {
  return type === "union_type" || type === "intersection_type";
}

/** The grammar nests `a | b | c` to the left. */
function sidesOf(node: Node): Node[] {
  const sides: Node[] = [];
  let at: Node | undefined = node;
  while (at?.type === node.type) {
    const [first, ...others]: Node[] = at.namedChildren;
    sides.push(...others.reverse());
    at = first;
  }
  return at ? [...sides, at].reverse() : sides.reverse();
}
