/** Ruby: `case x in pattern`. Names in the pattern are parts of the value. */
import { type Expression, firstKnown, TAG } from "../../../expression.ts";
import { keyOf } from "../../../languages/ruby/keys.ts";
import { isClass } from "../../../languages/ruby/type_checks.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Meaning, Scope } from "../../expressions/scopes.ts";
import type { Item } from "../items.ts";
import type { OpenFile } from "../open_file.ts";

const MAX_DEPTH = 6;

/** Opens a clause: in it, the names of the pattern are bound. */
export function openClause(file: OpenFile, item: Item, subject: Node): void {
  const { slot, scope, anonymous } = file.frame;
  const pattern = item.node.childForFieldName("pattern");
  const part = scope.part();
  if (item.node.type === "rescue") {
    bindCaught(file, item.node, part, subject);
    file.open(item, slot, part, anonymous);
    return;
  }
  if (!pattern) return;
  const whole = () => file.expressions.value(subject, scope);
  const clause = new Clause(file, part, scope);
  if (subject.type === "identifier" && scope.isBound(subject.text) && isClass(pattern))
    part.narrow(subject.text, clause.checked(pattern, whole));
  clause.bind(pattern, whole, 0);
  file.open(item, slot, part, anonymous);
}

/** `rescue E => e`; of several classes, the value may be of any. */
function bindCaught(file: OpenFile, rescue: Node, part: Scope, type: Node): void {
  const name = rescue.childForFieldName("variable")?.namedChildren[0]?.text;
  const isOnly = type.parent?.namedChildCount === 1;
  if (name === undefined) return;
  const meaning = (): Expression | undefined => (isOnly ? file.expressions.type(type, part.parent ?? part) : undefined);
  part.narrow(name, () => firstKnown([meaning()], name));
}

class Clause {
  readonly #file: OpenFile;
  readonly #scope: Scope;
  readonly #outer: Scope;

  constructor(file: OpenFile, scope: Scope, outer: Scope) {
    this.#file = file;
    this.#scope = scope;
    this.#outer = outer;
  }

  bind(pattern: Node, whole: Meaning, depth: number): void {
    if (depth > MAX_DEPTH) return;
    const [value, name] = [pattern.childForFieldName("value"), pattern.childForFieldName("name")];
    const type = pattern.childForFieldName("class");
    const of = type ? this.checked(type, whole) : whole;
    switch (pattern.type) {
      case "identifier":
        this.#scope.bindValue(pattern.text, () => firstKnown([whole()], pattern.text));
        return;
      case "parenthesized_pattern":
        if (pattern.namedChildren[0]) this.bind(pattern.namedChildren[0], whole, depth + 1);
        return;
      case "as_pattern":
        if (value) this.bind(value, whole, depth + 1);
        if (name) this.bind(name, value && isClass(value) ? this.checked(value, whole) : whole, depth + 1);
        return;
      case "hash_pattern":
        for (const each of pattern.namedChildren) if (each.type === "keyword_pattern") this.#bindKey(each, of, depth);
        return;
      case "array_pattern":
      case "find_pattern":
        this.#bindParts(pattern, of, depth);
    }
  }

  /** The value as one of the class that a pattern names. */
  checked(type: Node, whole: Meaning): Meaning {
    return () => {
      const stated = this.#file.expressions.type(type, this.#outer);
      return stated ? [TAG.checked, whole() ?? null, stated] : whole();
    };
  }

  #bindKey(pattern: Node, of: Meaning, depth: number): void {
    const [key, value] = [pattern.childForFieldName("key"), pattern.childForFieldName("value")];
    if (!key) return;
    const member = (): Expression | undefined => {
      const known = of();
      if (!known) return undefined;
      const held: Expression = [TAG.call, [TAG.member, known, "[]"], [], [[], [keyOf(key)]]];
      return [TAG.either, held, [TAG.call, [TAG.member, known, key.text]]];
    };
    if (value) this.bind(value, member, depth + 1);
    else this.#scope.bindValue(key.text, () => firstKnown([member()], key.text));
  }

  #bindParts(pattern: Node, of: Meaning, depth: number): void {
    const parts = pattern.namedChildren.filter(({ id }) => id !== pattern.childForFieldName("class")?.id);
    const isFind = pattern.type === "find_pattern";
    let isBehind = isFind;
    for (const [at, part] of parts.entries()) {
      const isRest = part.type === "splat_parameter";
      const name = isRest ? part.childForFieldName("name") : part;
      isBehind ||= isRest;
      const isAfter = isBehind;
      if (!name) continue;
      this.bind(
        name,
        () => {
          const whole = of();
          if (!whole) return undefined;
          if (isRest) return [TAG.call, [TAG.member, whole, "to_a"]];
          return isAfter ? [TAG.element, whole] : [TAG.elementAt, whole, at];
        },
        depth + 1,
      );
    }
  }
}
