/** Names of one file by where they hold. What a name stands for is worked out when it is first asked for. */
import type { Expression } from "../facts.ts";

type Meaning = () => Expression | undefined;

/** A name that is bound here to something unknown hides what the same name means outside. */
export const HIDDEN: Meaning = () => undefined;

export class Scope {
  readonly parent: Scope | undefined;
  /** Slot of the class whose instance `this` is; -1: none. */
  readonly self: number;
  readonly #values = new Map<string, Meaning>();
  readonly #types = new Map<string, Meaning>();
  readonly #busy = new Set<string>();
  readonly #known = new Map<string, Expression | undefined>();

  constructor(parent: Scope | undefined, self = parent?.self ?? -1) {
    this.parent = parent;
    this.self = self;
  }

  bindValue(name: string, meaning: Meaning): void {
    this.#values.set(name, meaning);
  }

  bindType(name: string, meaning: Meaning): void {
    this.#types.set(name, meaning);
  }

  /** Undefined: bound to something unknown. A free name stands for itself. */
  value(name: string): Expression | undefined {
    return this.#find(name, "v");
  }

  type(name: string): Expression | undefined {
    return this.#find(name, "t");
  }

  #find(name: string, space: "v" | "t"): Expression | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.parent) {
      const [first, second] = space === "v" ? [scope.#values, scope.#types] : [scope.#types, scope.#values];
      const meaning = first.get(name) ?? second.get(name);
      if (meaning) return scope.#evaluate(space + name, meaning);
    }
    return ["n", name];
  }

  /** A name that is explained by itself is explained by nothing. */
  #evaluate(key: string, meaning: Meaning): Expression | undefined {
    if (this.#known.has(key)) return this.#known.get(key);
    if (this.#busy.has(key)) return undefined;
    this.#busy.add(key);
    const found = meaning();
    this.#busy.delete(key);
    this.#known.set(key, found);
    return found;
  }
}

/** What encloses the place at hand. */
export interface Frame {
  end: number;
  node: number;
  scope: Scope;
  /** Slot of the definition; -1: the file. */
  slot: number;
  /** A function without a name of its own: what it returns is not what the definition around it returns. */
  anonymous: boolean;
}
