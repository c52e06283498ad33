/** From nodes of a syntax tree to expressions, by the language's table of node types. */
import type { Node } from "web-tree-sitter";
import type { Expression } from "../facts.ts";
import type { Language } from "../languages/language.ts";
import { HIDDEN, type Scope } from "./scopes.ts";

/** Deeper chains are machine-made; nobody asks for what they call. */
const DEEPEST = 12;
/** Longest name that counts as one. */
const LONGEST_NAME = 200;

/** Called with the array's elements first. */
const ELEMENT_CALLBACKS = new Set(
  "map filter forEach flatMap find findIndex findLast some every sort toSorted each select reject".split(" "),
);

export interface ExpressionReader {
  value(node: Node, scope: Scope, depth?: number): Expression | undefined;
  type(node: Node, scope: Scope, depth?: number): Expression | undefined;
  /** Binds every name of a pattern to its part of the value. */
  bind(pattern: Node, scope: Scope, whole: () => Expression | undefined): void;
  /** What the first parameter of a function is given, when the function is handed to a call over elements. */
  handed(fn: Node, index: number, scope: Scope): Expression | undefined;
}

export function makeExpressionReader(
  language: Language,
  /** Place among the imports of a module that is loaded by a call; undefined: the call loads none. */
  loads: (call: Node) => { place: number; later: boolean } | undefined,
): ExpressionReader {
  const { nodes } = language;
  const { types, patterns } = nodes;

  function value(node: Node, scope: Scope, depth = 0): Expression | undefined {
    if (depth > DEEPEST) return undefined;
    const { type: kind } = node;
    if (language.selfNames?.has(node.text)) return scope.self < 0 ? undefined : ["t", scope.self];
    if (nodes.names.has(kind)) return node.text.length > LONGEST_NAME ? undefined : named(node.text, scope);
    if (nodes.self.has(kind)) return scope.self < 0 ? undefined : ["t", scope.self];
    if (nodes.base.has(kind)) return scope.self < 0 ? undefined : ["u", scope.self];
    const member = nodes.members[kind];
    if (member) {
      const object = childOf(node, member[0], 0);
      const name = childOf(node, member[1], -1);
      if (!object || !name || name.text.length > LONGEST_NAME) return undefined;
      return ["g", value(object, scope, depth + 1) ?? UNKNOWN, name.text];
    }
    const call = nodes.calls[kind];
    if (call !== undefined) {
      const loaded = loads(node);
      if (loaded) {
        const space = ["i", loaded.place] as const;
        return loaded.later ? ["y", ["n", "Promise"], [space]] : space;
      }
      const of = callee(node, call, scope, depth);
      const base = language.explicitSelf && of?.[0] === "n" && of[1] === "super" && scope.self >= 0;
      return base ? ["u", scope.self] : of && ["c", of];
    }
    const made = nodes.news[kind];
    if (made !== undefined) {
      const of = node.childForFieldName(made);
      const what = of && (value(of, scope, depth + 1) ?? typeHead(of, scope));
      return what ? ["w", what, typeArguments(node, scope, depth)] : undefined;
    }
    const element = nodes.elements[kind];
    if (element !== undefined) {
      const object = node.childForFieldName(element);
      const of = object && value(object, scope, depth + 1);
      return of ? ["c", ["g", of, "[]"]] : undefined;
    }
    if (nodes.awaits.has(kind)) return wrap("a", node.namedChildren[0], scope, depth);
    if (nodes.casts.has(kind)) {
      const [what, as] = [node.namedChildren[0], node.namedChildren[1]];
      return (as && type(as, scope, depth + 1)) ?? (what ? value(what, scope, depth + 1) : undefined);
    }
    if (nodes.around.has(kind))
      return node.namedChildren[0] ? value(node.namedChildren[0], scope, depth + 1) : undefined;
    return choice(node, scope, depth);
  }

  function named(name: string, scope: Scope): Expression | undefined {
    const found = scope.value(name);
    return language.implicitSelf && found?.[0] === "n" && scope.self >= 0 ? ["o", scope.self, name] : found;
  }

  /** `a ?? b`, `c ? a : b`: either side tells what it is. */
  function choice(node: Node, scope: Scope, depth: number): Expression | undefined {
    const fields = CHOICES[node.type];
    for (const field of fields ?? []) {
      const side = node.childForFieldName(field);
      const found = side && value(side, scope, depth + 1);
      if (found && found[0] !== "n") return found;
    }
    if (node.type !== "array" && node.type !== "list") return undefined;
    const first = node.namedChildren[0];
    const of = first && value(first, scope, depth + 1);
    return of ? ["y", ["n", "[]"], [of]] : undefined;
  }

  function callee(node: Node, fields: string | readonly [string, string], scope: Scope, depth: number) {
    if (typeof fields === "string") {
      const of = childOf(node, fields, 0);
      return of ? value(of, scope, depth + 1) : undefined;
    }
    const receiver = node.childForFieldName(fields[0]);
    const name = node.childForFieldName(fields[1])?.text;
    if (name === undefined || name.length > LONGEST_NAME) return undefined;
    if (!receiver) return named(name, scope);
    return ["g", value(receiver, scope, depth + 1) ?? UNKNOWN, name] as const;
  }

  function wrap(tag: "a" | "e", node: Node | null | undefined, scope: Scope, depth: number): Expression | undefined {
    const of = node && value(node, scope, depth + 1);
    return of ? [tag, of] : undefined;
  }

  function type(node: Node, scope: Scope, depth = 0): Expression | undefined {
    if (depth > DEEPEST) return undefined;
    const { type: kind } = node;
    if (types.around.has(kind))
      return node.namedChildren[0] ? type(node.namedChildren[0], scope, depth + 1) : undefined;
    if (types.array.has(kind)) {
      const of = node.namedChildren[0] && type(node.namedChildren[0], scope, depth + 1);
      return ["y", ["n", "[]"], [of ?? null]];
    }
    if (types.union.has(kind)) {
      const sides = unionSides(node).filter((side) => !NOTHING.test(side.text));
      return sides.length === 1 && sides[0] ? type(sides[0], scope, depth + 1) : undefined;
    }
    if (types.query.has(kind))
      return node.namedChildren[0] ? value(node.namedChildren[0], scope, depth + 1) : undefined;
    // A type that is not defined yet is written as a string.
    if (kind === "string" && language.explicitSelf) {
      const name = node.text.slice(1, -1);
      const head = /^\w+$/.test(name) ? scope.type(name) : undefined;
      return head && ["y", head, []];
    }
    // Of a method that gives back what it was called on.
    if (kind === "this_type") return ["n", "this"];
    if (kind === "tuple_type") {
      return ["y", ["n", "tuple"], node.namedChildren.map((each) => (each && type(each, scope, depth + 1)) ?? null)];
    }
    const generic = types.generic.has(kind);
    const head = typeHead(generic ? (node.childForFieldName("name") ?? node.namedChildren[0] ?? node) : node, scope);
    return head && ["y", head, generic ? typeArguments(node, scope, depth) : []];
  }

  function unionSides(node: Node): Node[] {
    return node.namedChildren.flatMap((side) => (side ? (types.union.has(side.type) ? unionSides(side) : [side]) : []));
  }

  function typeHead(node: Node, scope: Scope): Expression | undefined {
    if (nodes.names.has(node.type)) return scope.type(node.text);
    const nested = types.nested[node.type] ?? nodes.members[node.type];
    if (!nested) return undefined;
    const outer = node.childForFieldName(nested[0]);
    const name = node.childForFieldName(nested[1])?.text;
    const of = outer && (typeHead(outer, scope) ?? undefined);
    return of && name !== undefined ? ["g", of, name] : undefined;
  }

  function typeArguments(node: Node, scope: Scope, depth: number): (Expression | null)[] {
    const list =
      node.childForFieldName("type_arguments") ??
      node.namedChildren.find((each) => TYPE_ARGUMENTS.has(each?.type ?? ""));
    return list?.namedChildren.slice(0, 4).map((each) => (each && type(each, scope, depth + 1)) ?? null) ?? [];
  }

  function bind(pattern: Node, scope: Scope, whole: () => Expression | undefined): void {
    const { type: kind } = pattern;
    if (nodes.names.has(kind) || patterns.shorthand.has(kind)) {
      scope.bindValue(pattern.text, whole);
    } else if (patterns.object.has(kind)) {
      for (const part of pattern.namedChildren) if (part) bindField(part, scope, whole);
    } else if (patterns.array.has(kind)) {
      for (const [place, part] of pattern.namedChildren.entries()) {
        if (!part) continue;
        bind(part, scope, () => {
          const of = whole();
          return of && ["p", of, place];
        });
      }
    } else if (patterns.around.has(kind)) {
      const inner = pattern.namedChildren[0];
      if (inner) bind(inner, scope, kind.startsWith("rest") ? HIDDEN : whole);
    }
  }

  function bindField(part: Node, scope: Scope, whole: () => Expression | undefined): void {
    const member = (name: string) => () => {
      const of = whole();
      return of && (["g", of, name] as const);
    };
    const pair = patterns.pair[part.type];
    if (pair) {
      const key = part.childForFieldName(pair[0])?.text ?? "";
      const inner = part.childForFieldName(pair[1]);
      if (inner) bind(inner, scope, member(key));
    } else if (patterns.shorthand.has(part.type)) {
      bind(part, scope, member(part.text));
    } else if (patterns.around.has(part.type)) {
      const inner = part.namedChildren[0];
      if (inner) bind(inner, scope, part.type.startsWith("rest") ? HIDDEN : member(inner.text));
    }
  }

  function handed(fn: Node, index: number, scope: Scope): Expression | undefined {
    const list = fn.parent;
    const call = list?.parent;
    if (!call || list?.type !== "arguments") return undefined;
    const field = nodes.calls[call.type] ?? nodes.news[call.type];
    const target = typeof field === "string" ? call.childForFieldName(field) : null;
    if (!target) return undefined;
    const member = nodes.members[target.type];
    const name = member ? (target.childForFieldName(member[1])?.text ?? "") : "";
    if (member && overElements(name, index)) {
      return wrap("e", target.childForFieldName(member[0]), scope, 0);
    }
    const of = value(target, scope);
    const place = list.namedChildren.findIndex((each) => each?.id === fn.id);
    return of && place >= 0 ? ["h", of, place, index] : undefined;
  }

  return { value, type, bind, handed };
}

/** By its field; in grammars without one by its place. */
function childOf(node: Node, field: string, place: number): Node | null {
  return field === "" ? (node.namedChildren.at(place) ?? null) : node.childForFieldName(field);
}

function overElements(name: string, index: number): boolean {
  if (name === "reduce") return index === 1;
  return ELEMENT_CALLBACKS.has(name) && (index === 0 || name === "sort" || name === "toSorted");
}

/** A value that nothing explains: of a call of its member only the name is known. */
const UNKNOWN: Expression = ["n", ""];

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  ternary_expression: ["consequence", "alternative"],
  conditional_expression: ["consequence", "alternative"],
  binary_expression: ["left", "right"],
  boolean_operator: ["left", "right"],
  assignment_expression: ["right"],
};
const TYPE_ARGUMENTS = new Set(["type_arguments", "type_argument_list", "type_parameter"]);
const NOTHING = /^(undefined|null|None|void|nil|"[^"]*"|'[^']*'|\d+|true|false|boolean|string|number)$/;
