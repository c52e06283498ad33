/**
 * Rust, JavaScript: collections that are created empty. The first value that the code adds determines the type of the
 * elements.
 */
import { type Expression, hasAtMost, listOf, TAG } from "../../expression.ts";
import type { Language } from "../../languages/language.ts";
import type { Node } from "../../syntax/tree.ts";
import type { ExpressionReader } from "../expressions/expression_reader.ts";
import type { Scope } from "../expressions/scopes.ts";

/** Methods that take an element, and those that take a key and its value. */
const FILLS = /^(?:push|push_back|push_front|unshift|add|insert|set)$/;
const MAX_MADE_CHARS = 80;
const MAX_FILLS = 4;
const MAX_PARTS = 60;
const RUST_EMPTY =
  /^(?:\w+::)*(Vec|VecDeque|HashMap|BTreeMap|HashSet|BTreeSet|BinaryHeap)::(?:new|default|with_capacity)\([^()]*\)$/;
const SCRIPT_EMPTY = /^new (Map|Set|WeakMap|WeakSet)\(\)$/;
const LIST = /^(?:\[\s*\]|Array\(\)|new Array\(\))$/;

interface Fill {
  given: readonly Node[];
  scope: Scope;
}

export class FilledCollections {
  readonly #expressions: ExpressionReader;
  readonly #isRust: boolean;
  readonly #variables = new WeakMap<Scope, Map<string, Fill[]>>();
  /** Those of fields, by the slot of their class and their names. */
  readonly #fields = new Map<string, Fill[]>();

  constructor(language: Language, expressions: ExpressionReader) {
    this.#expressions = expressions;
    this.#isRust = language.family === "rust";
  }

  /** `list.push(x)`, `this.map.set(key, value)`. */
  add(call: Node, callee: Node, scope: Scope): void {
    const [of, method] = [callee.namedChildren[0], callee.namedChildren.at(-1)];
    if (!of || !method || callee.namedChildCount !== 2 || !FILLS.test(method.text)) return;
    const given = call.childForFieldName("arguments")?.namedChildren ?? [];
    if (given.length === 0 || given.length > 2) return;
    const all = this.#fillsOf(of, scope);
    if (all && all.length < MAX_FILLS) all.push({ given, scope });
  }

  #fillsOf(of: Node, scope: Scope): Fill[] | undefined {
    if (of.type === "identifier") {
      const declaring = scope.declaring(of.text);
      if (!declaring) return undefined;
      const names = this.#variables.get(declaring) ?? new Map<string, Fill[]>();
      this.#variables.set(declaring, names);
      return entry(names, of.text);
    }
    const [self, name] = of.namedChildren;
    const isField = (self?.type === "this" || self?.type === "self") && of.namedChildCount === 2 && scope.self >= 0;
    return isField && name ? entry(this.#fields, `${scope.self}:${name.text}`) : undefined;
  }

  /** The value of a variable; `value`: what it is declared with. */
  variable(known: Expression | undefined, value: Node | null, name: string, scope: Scope): Expression | undefined {
    const made = value && this.#made(value);
    return made ? (this.#filled(made, this.#variables.get(scope)?.get(name)) ?? known) : known;
  }

  field(known: Expression | undefined, value: Node | null, name: string, slot: number): Expression | undefined {
    const made = value && this.#made(value);
    return made ? (this.#filled(made, this.#fields.get(`${slot}:${name}`)) ?? known) : known;
  }

  /** The type of an empty collection. */
  #made(value: Node): string | undefined {
    if (value.endIndex - value.startIndex > MAX_MADE_CHARS) return undefined;
    const { text } = value;
    if (LIST.test(text)) return "[]";
    return (this.#isRust ? RUST_EMPTY : SCRIPT_EMPTY).exec(text)?.[1];
  }

  #filled(made: string, fills: readonly Fill[] = []): Expression | undefined {
    for (const { given, scope } of fills) {
      const [first, second] = given.map((each) => this.#expressions.value(each, scope) ?? null);
      if (given.length === 2 && second && isSmall(second) && made.endsWith("Map"))
        return [TAG.ofType, [TAG.freeName, made], [first && isSmall(first) ? first : null, typeOf(second)]];
      if (given.length === 1 && first && isSmall(first) && !made.endsWith("Map"))
        return made === "[]" ? listOf(typeOf(first)) : [TAG.ofType, [TAG.freeName, made], [typeOf(first)]];
    }
    return undefined;
  }
}

function entry(fills: Map<string, Fill[]>, key: string): Fill[] {
  const found = fills.get(key) ?? [];
  fills.set(key, found);
  return found;
}

/** A value of the same type: which function a list holds is not known. */
function typeOf(value: Expression): Expression {
  return [TAG.union, [value]];
}

function isSmall(value: Expression): boolean {
  return value[0] !== TAG.freeName && hasAtMost(value, MAX_PARTS);
}
