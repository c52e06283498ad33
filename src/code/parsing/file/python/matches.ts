/** Python: `match` statements. Names in the pattern of a case are parts of the value that is matched. */
import { type Expression, TAG } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Meaning, Scope } from "../../expressions/scopes.ts";
import { MAX_NAME_CHARS } from "../definitions/definitions.ts";
import type { Item } from "../items.ts";
import type { OpenFile } from "../open_file.ts";

const PATH = /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*$/u;
const MAX_DEPTH = 6;

/** Opens a case: in it, the value is of the class that the pattern names. */
export function openCase(file: OpenFile, item: Item, subject: Node): void {
  const { slot, scope, anonymous } = file.frame;
  const pattern = item.node.namedChildren.find(({ type }) => type === "case_pattern");
  if (!pattern || subject.endIndex - subject.startIndex > MAX_NAME_CHARS) return;
  const part = scope.part();
  const whole = () => file.expressions.value(subject, scope);
  const inner = innermost(pattern);
  const checked = checkedBy(innermost(inner), scope, whole);
  if (checked && PATH.test(subject.text)) part.narrow(subject.text, checked);
  bindCase(pattern, part, whole, 0);
  file.open(item, slot, part, anonymous);
}

function bindCase(pattern: Node, scope: Scope, whole: Meaning, depth: number): void {
  if (depth > MAX_DEPTH) return;
  const bind = (part: Node, value: Meaning): void => bindCase(part, scope, value, depth + 1);
  const [first, ...others] = pattern.namedChildren;
  switch (pattern.type) {
    case "case_pattern":
      if (first) bind(first, whole);
      return;
    case "identifier":
      scope.bindValue(pattern.text, whole);
      return;
    case "dotted_name":
      if (first && others.length === 0 && first.text !== "_") scope.bindValue(first.text, whole);
      return;
    case "as_pattern": {
      const name = others.at(-1);
      if (!first || name?.type !== "identifier") return;
      bind(first, whole);
      bind(name, checkedBy(innermost(first), scope.parent ?? scope, whole) ?? whole);
      return;
    }
    case "class_pattern":
      bindClass(pattern, checkedBy(pattern, scope.parent ?? scope, whole) ?? whole, bind);
      return;
    case "list_pattern":
    case "tuple_pattern":
      bindParts(pattern.namedChildren, whole, bind);
      return;
    case "dict_pattern":
      for (const value of pattern.childrenForFieldName("value")) bind(value, () => indexed(whole()));
  }
}

/** `Order(item=it)` binds fields; a class of the library, like `str(s)`, the value itself. */
function bindClass(pattern: Node, checked: Meaning, bind: (part: Node, value: Meaning) => void): void {
  for (const [at, part] of pattern.namedChildren.slice(1).entries()) {
    const inner = innermost(part);
    if (inner.type !== "keyword_pattern") {
      bind(inner, () => partAt(checked(), at));
      continue;
    }
    const [name, value] = inner.namedChildren;
    if (name && value) bind(value, () => memberOf(checked(), name.text));
  }
}

function bindParts(parts: readonly Node[], whole: Meaning, bind: (part: Node, value: Meaning) => void): void {
  let isBehind = false;
  for (const [at, part] of parts.entries()) {
    const inner = innermost(part);
    const isRest = inner.type === "splat_pattern";
    const name = isRest ? inner.namedChildren[0] : inner;
    isBehind ||= isRest;
    if (name) bind(name, isRest ? whole : isBehind ? () => elementOf(whole()) : () => partAt(whole(), at));
  }
}

/** The value as one of the classes that a pattern names; undefined: it names none. */
function checkedBy(pattern: Node, scope: Scope, whole: Meaning): Meaning | undefined {
  const classes = (pattern.type === "union_pattern" ? pattern.namedChildren.map(innermost) : [pattern]).slice(0, 8);
  if (!classes.every(({ type }) => type === "class_pattern")) return undefined;
  const names = classes.map(({ namedChildren }) => namedChildren[0]).filter((each) => each !== undefined);
  return () => {
    const sides = names.map((name) => typeNamed(name, scope)).filter((each) => each !== undefined);
    const [type] = sides;
    if (!type || sides.length < names.length) return whole();
    return [TAG.checked, whole() ?? null, sides.length > 1 ? [TAG.bounds, sides] : type];
  };
}

function typeNamed(name: Node, scope: Scope): Expression | undefined {
  const [first, ...members] = name.namedChildren.map(({ text }) => text);
  const head = first === undefined ? undefined : scope.type(first);
  const named = members.reduce<Expression | undefined>((of, member) => of && [TAG.member, of, member], head);
  return named && [TAG.ofType, named, []];
}

function innermost(pattern: Node): Node {
  const [only] = pattern.namedChildren;
  return pattern.type === "case_pattern" && only
    ? only
    : pattern.type === "as_pattern" && only
      ? innermost(only)
      : pattern;
}

function memberOf(of: Expression | undefined, name: string): Expression | undefined {
  return of && [TAG.member, of, name];
}

function elementOf(of: Expression | undefined): Expression | undefined {
  return of && [TAG.element, of];
}

function partAt(of: Expression | undefined, at: number): Expression | undefined {
  return of && [TAG.elementAt, of, at];
}

function indexed(of: Expression | undefined): Expression | undefined {
  return of && [TAG.call, [TAG.member, of, "[]"]];
}
