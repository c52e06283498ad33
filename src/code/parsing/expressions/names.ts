/** The values of names alone, which may be members of the instance in languages where these need no receiver. */
import { type Expression, TAG } from "../../expression.ts";
import type { Language } from "../../languages/language.ts";
import type { Scope } from "./scopes.ts";

export function namedValue(language: Language, name: string, scope: Scope): Expression | undefined {
  const found = scope.value(name);
  return found?.[0] === TAG.freeName ? ofSelf(language, name, scope, found) : found;
}

/** In a grammar that separates receivers, a name with arguments is a method even where a variable has the same name. */
export function methodNamed(language: Language, name: string, scope: Scope): Expression | undefined {
  return scope.fixed(name, false) ?? ofSelf(language, name, scope, [TAG.freeName, name]);
}

/** A name that nothing binds. */
function ofSelf(language: Language, name: string, scope: Scope, free: Expression): Expression {
  if (!language.implicitSelf) return free;
  const own: Expression = scope.self < 0 ? free : [TAG.memberOrFree, scope.self, name];
  const other = scope.otherSelf?.() ?? scope.selfMeaning?.();
  return other ? [TAG.either, [TAG.member, other, name], own] : own;
}
