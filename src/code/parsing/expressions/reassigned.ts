/** The values of variables that are assigned several times: each assignment refers to the one before it. */
import { type Expression, firstKnown } from "../../expression.ts";
import type { Family } from "../../languages/language.ts";
import { type Meaning, Scope } from "./scopes.ts";

/** Assignments to one variable that are looked at for its value. */
const MAX_ASSIGNMENTS = 12;

/** Whether an assignment anywhere in a function is one to the same variable. */
export function isReassignable(family: Family): boolean {
  return family === "ruby" || family === "php" || family === "python";
}

export class Reassigned {
  /** How many assignments to a variable its meaning goes through. */
  readonly #counts = new WeakMap<Meaning, number>();

  /** `value`: that of this assignment alone, in a scope where the name has its earlier value. */
  meaning(scope: Scope, name: string, value: (scope: Scope) => Expression | undefined): Meaning {
    const last = scope.valueMeaning(name);
    const count = last ? (this.#counts.get(last) ?? 0) : 0;
    const before = count < MAX_ASSIGNMENTS ? last : undefined;
    const meaning = once(() => firstKnown([value(withEarlier(scope, name, before)), before?.()], name));
    this.#counts.set(meaning, before ? count + 1 : 1);
    return meaning;
  }
}

/** In `x = x.next()` the second `x` has its earlier value. */
function withEarlier(scope: Scope, name: string, before: Meaning | undefined): Scope {
  if (!before) return scope;
  const inner = new Scope(scope);
  inner.bindValue(name, before);
  return inner;
}

/** A meaning that is computed at most once: each assignment asks for the one before it. */
function once(meaning: Meaning): Meaning {
  let found: { value: Expression | undefined } | undefined;
  return () => {
    found ??= { value: meaning() };
    return found.value;
  };
}
