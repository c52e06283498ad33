/** Scopes of one file: the names bound in each. A name is resolved on first use. */
import { type Expression, TAG } from "../../expression.ts";

export type Meaning = () => Expression | undefined;

/** A name bound to something unknown still shadows the same name of outer scopes. */
export const HIDDEN: Meaning = () => undefined;

/** In place of a class: `this` is the object that a CommonJS module exports. */
export const EXPORTED_OBJECT = -2;

/** The name under which a function of the exported object is bound, which no variable can have. */
export function exportedName(name: string): string {
  return `this.${name}`;
}

/** A name that depends on a longer chain of others has no known value: the chain would fill the stack. */
const MAX_CHAIN = 64;

export class Scope {
  /** Names whose meanings are being worked out, each for the one before it. */
  static #chain = 0;
  readonly parent: Scope | undefined;
  /** Slot of the class whose instance `this` is; -1: none. */
  readonly self: number;
  /** The value of `self`, where it is not simply an instance of the class. */
  selfMeaning: Meaning | undefined;
  /** An object that may run this block as its own, if the called method does so. */
  otherSelf: Meaning | undefined;
  /** The number of modules of the file around it. */
  readonly modules: number;
  readonly #values = new Map<string, Meaning>();
  readonly #types = new Map<string, Meaning>();
  readonly #inProgress = new Set<string>();
  /** Names of definitions and imports; all other names are variables. */
  #fixed: Set<string> | undefined;
  readonly #known = new Map<string, Expression | undefined>();
  /** Part of its parent, with more known about some names: names that are bound here are bound there, too. */
  readonly #isPart: boolean;
  /** Whether more is known here about some members than their definitions say. */
  readonly hasNarrowed: boolean;

  constructor(parent: Scope | undefined, self = parent?.self ?? -1, isModule = false, isPart = false) {
    this.parent = parent;
    this.#isPart = isPart;
    this.hasNarrowed = isPart || (parent?.hasNarrowed ?? false);
    this.self = self;
    this.selfMeaning = self === parent?.self ? parent.selfMeaning : undefined;
    this.otherSelf = self === parent?.self ? parent.otherSelf : undefined;
    this.modules = (parent?.modules ?? 0) + (isModule ? 1 : 0);
  }

  /** The value of `this` or `self`. */
  instance(): Expression | undefined {
    return this.selfMeaning?.() ?? (this.self < 0 ? undefined : [TAG.instance, this.self]);
  }

  get top(): Scope {
    return this.parent?.top ?? this;
  }

  /** A part of this scope in which a condition says more about some names. */
  part(): Scope {
    return new Scope(this, this.self, false, true);
  }

  bindValue(name: string, meaning: Meaning): void {
    this.#values.set(name, meaning);
    if (this.#isPart) this.parent?.bindValue(name, meaning);
  }

  /** Says more about a name or a member (`a.b`) for this part of the parent alone. */
  narrow(text: string, meaning: Meaning): void {
    this.#values.set(text, meaning);
  }

  /** The value of a member (`a.b`) that a condition has checked; undefined if none has. */
  narrowed(text: string): Expression | undefined {
    return this.isBound(text) ? this.value(text) : undefined;
  }

  /** The meaning of a name that this scope itself binds. */
  valueMeaning(name: string): Meaning | undefined {
    return this.#values.get(name) ?? (this.#isPart ? this.parent?.valueMeaning(name) : undefined);
  }

  /** The meaning of a type that this scope itself binds. */
  typeMeaning(name: string): Meaning | undefined {
    return this.#types.get(name);
  }

  bindType(name: string, meaning: Meaning): void {
    this.#types.set(name, meaning);
    if (this.#isPart) this.parent?.bindType(name, meaning);
  }

  /** The name, where it is visible, is a definition or an import of this file. */
  fix(name: string): void {
    this.#fixed ??= new Set();
    this.#fixed.add(name);
    if (this.#isPart) this.parent?.fix(name);
  }

  /** The definition or import that a name refers to; undefined for a variable, and for a name without a binding. */
  fixed(name: string, isType: boolean): Expression | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.parent) {
      const [first, second] = isType ? [scope.#types, scope.#values] : [scope.#values, scope.#types];
      const meaning = first.get(name) ?? second.get(name);
      if (meaning) return scope.#fixed?.has(name) ? scope.#evaluate((isType ? "t" : "v") + name, meaning) : undefined;
    }
    return undefined;
  }

  /** The scope in which a name that is visible here is bound. */
  declaring(name: string): Scope | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.parent)
      if (scope.#values.has(name)) return scope.#isPart ? scope.parent?.declaring(name) : scope;
    return undefined;
  }

  isBound(name: string): boolean {
    for (let scope: Scope | undefined = this; scope; scope = scope.parent)
      if (scope.#values.has(name) || scope.#types.has(name)) return true;
    return false;
  }

  /** Undefined: bound to something unknown. A name without a binding is a free name. */
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
    return [TAG.freeName, name];
  }

  /** A name whose meaning depends on itself has none. */
  #evaluate(key: string, meaning: Meaning): Expression | undefined {
    if (this.#known.has(key)) return this.#known.get(key);
    if (this.#inProgress.has(key) || Scope.#chain >= MAX_CHAIN) return undefined;
    this.#inProgress.add(key);
    Scope.#chain += 1;
    try {
      const found = meaning();
      this.#known.set(key, found);
      return found;
    } finally {
      Scope.#chain -= 1;
      this.#inProgress.delete(key);
    }
  }
}

/** One level of nesting around the current item. */
export interface Frame {
  end: number;
  node: number;
  scope: Scope;
  /** Slot of the definition; -1: the file. */
  slot: number;
  /** An unnamed function: its returns do not belong to the enclosing definition. */
  anonymous: boolean;
  /** An object whose functions are definitions although the object itself is not one. */
  isObject?: boolean;
  /** Names that are bound once the text has passed their declaration, the first declaration first. */
  late?: LateBinding[];
  /** Conditions that hold in all code behind them. */
  ensured?: number;
}

export interface LateBinding {
  end: number;
  bind: (scope: Scope) => void;
  /** Says more about names that are bound already. */
  isPart: boolean;
}
