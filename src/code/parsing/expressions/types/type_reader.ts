/** Reads a stated type as an expression: the value that the type describes. */

import { ANY_MEMBER, type Expression, listOf, memberOf, RECEIVER, TAG, tupleOf } from "../../../expression.ts";
import type { Language } from "../../../languages/language.ts";
import type { NodeTypes } from "../../../languages/node_types.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Scope } from "../scopes.ts";
import { quotedType } from "./quoted_types.ts";
import { isPrimitive, unionOf } from "./unions.ts";

/** Deeper chains are generated code, and nobody looks up their calls. */
export const MAX_DEPTH = 12;
const MAX_TYPE_ARGUMENTS = 4;
const MAX_SIDES = 8;
const TYPE_ARGUMENTS = new Set(["type_arguments", "type_argument_list", "type_parameter", "template_argument_list"]);
/** Python: `Union[A, B]`, `typing.Union[A, B]`. */
const UNION = /^(\w+\.)?Union$/;

/** Python: `Self`, `typing.Self`. */
const SELF = /^(\w+\.)?Self$/;

/** TypeScript: the name of a member, as a type. */
const MEMBER_INDEX = /^(["'`])([\w$#]{1,100})\1$/;

/** TypeScript: types that are made of others, and have no name. */
const SIDED = /^(intersection|union|constructor)_type$/;

/** Traits of Rust without methods. */
const MARKER = /^\??(Send|Sync|Sized|Unpin|Copy)$/;

/** Values inside types: `typeof value`, and names that are used by their path. */
interface ValueReader {
  value(node: Node, scope: Scope, depth: number): Expression | undefined;
  path(node: Node, scope: Scope): Expression | undefined;
  /** A type without a name: a function or object type. */
  shape(node: Node, scope: Scope, depth: number): Expression | undefined;
}

export class TypeReader {
  readonly #language: Language;
  readonly #nodes: NodeTypes;
  readonly #values: ValueReader;

  constructor(language: Language, values: ValueReader) {
    this.#language = language;
    this.#nodes = language.nodes;
    this.#values = values;
  }

  read(node: Node, scope: Scope, depth = 0): Expression | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const { type: kind } = node;
    const own = this.#language.readType?.(node, (part) => this.read(part, scope, depth + 1));
    if (own) return own;
    const { around, array, union, query } = this.#nodes.types;
    // In `&'a mut T` the type is not the first node.
    if (around.has(kind)) return this.#inner(node.childForFieldName("type") ?? node.namedChildren[0], scope, depth);
    if (array.has(kind)) {
      const element = node.childForFieldName("element") ?? node.namedChildren[0];
      return listOf((element && this.#part(element, scope, depth + 1)) ?? null);
    }
    if (union.has(kind)) return this.#union(this.#unionSides(node), scope, depth);
    if (query.has(kind))
      return node.namedChildren[0] ? this.#values.value(node.namedChildren[0], scope, depth + 1) : undefined;
    // Python writes a type that is not defined yet as a string.
    if (kind === "string" && this.#language.explicitSelf) return quotedType(node.text, scope);
    // Rust: `Iterator<Item = T>`.
    if (kind === "type_binding") return this.#inner(node.childForFieldName("type"), scope, depth);
    // Rust: `Subscriber + Send + 'static`.
    if (kind === "bounded_type")
      return this.#inner(
        node.namedChildren.find(({ type, text }) => type !== "lifetime" && !MARKER.test(text)),
        scope,
        depth,
      );
    if (kind === "lookup_type") return this.#lookup(node, scope, depth);
    // A method that returns its receiver.
    if (kind === "this_type") return RECEIVER;
    return kind === "tuple_type" ? this.#tuple(node, scope, depth) : this.#namedType(node, scope, depth);
  }

  #inner(node: Node | null | undefined, scope: Scope, depth: number): Expression | undefined {
    return node ? this.read(node, scope, depth + 1) : undefined;
  }

  #tuple(node: Node, scope: Scope, depth: number): Expression | undefined {
    // Rust: `&(dyn Trait + Send)`.
    const [only, ...others] = node.namedChildren;
    if (only && others.length === 0 && !/,\s*\)$/.test(node.text)) return this.read(only, scope, depth + 1);
    return tupleOf(node.namedChildren.map((each) => this.#inner(each, scope, depth) ?? null));
  }

  /** A name, perhaps with a path before it and type arguments behind it. */
  #namedType(node: Node, scope: Scope, depth: number): Expression | undefined {
    // PHP: `self`, `static` and `parent`.
    if (this.#language.selfNames?.has(node.text)) return scope.instance();
    if (node.text === this.#language.baseName && scope.self >= 0) return [TAG.base, scope.self];
    // C++: `std::vector<T>` has its arguments inside the path.
    const last = node.type === "qualified_identifier" ? node.childForFieldName("name") : null;
    if (last && (this.#nodes.types.generic.has(last.type) || last.type === node.type))
      return this.read(last, scope, depth + 1);
    const isGeneric = this.#nodes.types.generic.has(node.type);
    const named = isGeneric ? (node.childForFieldName("name") ?? node.namedChildren[0] ?? node) : node;
    if (isGeneric && this.#language.explicitSelf && UNION.test(named.text))
      return this.#union(this.#argumentNodes(node), scope, depth);
    if (this.#language.explicitSelf && SELF.test(named.text)) return RECEIVER;
    const head = this.head(named, scope);
    if (head?.[0] === TAG.parameter && /^(ecmascript|csharp|python)$/.test(this.#language.family)) return head;
    return head && [TAG.ofType, head, isGeneric ? this.arguments(node, scope, depth) : []];
  }

  /** In Python a value of several types has the members of each; elsewhere nothing is known about it. */
  #union(sides: readonly Node[], scope: Scope, depth: number): Expression | undefined {
    const others = sides.filter((side) => !isPrimitive(side.text));
    if (others.length > 1 && !this.#language.explicitSelf) return undefined;
    return unionOf(others.slice(0, MAX_SIDES).map((side) => this.read(side, scope, depth + 1)));
  }

  #unionSides(node: Node): Node[] {
    return node.namedChildren.flatMap((side) =>
      side ? (this.#nodes.types.union.has(side.type) ? this.#unionSides(side) : [side]) : [],
    );
  }

  /** The named type alone, without its arguments. */
  head(node: Node, scope: Scope): Expression | undefined {
    if (this.#nodes.names.has(node.type)) return this.#named(node.text, scope);
    const nested = this.#nodes.types.nested[node.type] ?? this.#nodes.members[node.type];
    if (!nested) return undefined;
    const path = this.#values.path(node, scope);
    if (path) return path;
    const outer = nested[0] === "" ? node.namedChildren[0] : node.childForFieldName(nested[0]);
    const name = (nested[1] === "" ? node.namedChildren.at(-1) : node.childForFieldName(nested[1]))?.text;
    const of = outer && (this.head(outer, scope) ?? undefined);
    return of && name !== undefined ? [TAG.member, of, name] : undefined;
  }

  /** C++, Java, C#, Ruby: a class sees the types in it, and those in its bases. */
  #named(name: string, scope: Scope): Expression | undefined {
    const found = scope.type(name);
    const isFree = found?.[0] === TAG.freeName && found[1] === name;
    return isFree && scope.self >= 0 && /^(c|jvm|csharp|ruby)$/.test(this.#language.family)
      ? [TAG.memberOrFree, scope.self, name]
      : found;
  }

  arguments(node: Node, scope: Scope, depth: number): (Expression | null)[] {
    return this.#argumentNodes(node)
      .slice(0, MAX_TYPE_ARGUMENTS)
      .map((each) => this.#part(each, scope, depth + 1) ?? null);
  }

  /** A type inside another, which need not have a name. */
  #part(node: Node, scope: Scope, depth: number): Expression | undefined {
    const { functions, records } = this.#nodes.types;
    const isShape = SIDED.test(node.type) || functions.has(node.type) || records.has(node.type);
    return isShape && this.#language.family === "ecmascript"
      ? this.#values.shape(node, scope, depth)
      : this.read(node, scope, depth);
  }

  /** TypeScript: the type of a member (`Options["run"]`), of the elements of a list, or of a parameter. */
  #lookup(node: Node, scope: Scope, depth: number): Expression | undefined {
    const [whole, index] = node.namedChildren;
    if (!whole || !index) return undefined;
    const [, , name] = MEMBER_INDEX.exec(index.text) ?? [];
    const at = /^\d{1,3}$/.test(index.text) ? Number(index.text) : undefined;
    const isParameters = this.#nodes.types.generic.has(whole.type) && whole.namedChildren[0]?.text === "Parameters";
    const read = isParameters ? this.#argumentNodes(whole)[0] : whole;
    const of = read && this.#part(read, scope, depth + 1);
    if (!of) return undefined;
    if (at !== undefined) return isParameters ? [TAG.argument, of, at] : [TAG.elementAt, of, at];
    if (isParameters) return undefined;
    if (index.text === "number") return [TAG.element, of];
    if (index.type === "index_type_query") return [TAG.member, of, ANY_MEMBER];
    // The type of a function, not the function itself.
    return name === undefined ? undefined : [TAG.union, [memberOf(of, name)]];
  }

  #argumentNodes(node: Node): Node[] {
    // Python: `typing.List[T]`.
    const subscripts = node.type === "subscript" ? node.childrenForFieldName("subscript") : [];
    if (subscripts.length > 0) return subscripts;
    const list =
      node.childForFieldName("type_arguments") ??
      node.namedChildren.find((each) => TYPE_ARGUMENTS.has(each?.type ?? ""));
    return list?.namedChildren.filter(({ type }) => !type.startsWith("lifetime")) ?? [];
  }
}
