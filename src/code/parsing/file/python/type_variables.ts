/** Python: type variables, which the arguments of a class or the call of a function determine. */
import { type Expression, OWN_PARAMETERS, TAG } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Meaning, Scope } from "../../expressions/scopes.ts";
import type { OpenFile } from "../open_file.ts";

const TYPE_VARIABLE = /^(?:\w+\.)?TypeVar$/;
const STATED = /^(?:\w+\.)?(?:Generic|Protocol)$/;
/** Imported names that hardly anything else has. */
const USUAL = /^_?(?:[A-Z]{1,2}|T_\w+|[A-Z]\w*T)(?:_co|_contra)?$/;
const MAX_HEAD_CHARS = 40;
const MAX_VARIABLES = 24;
/** Positions of the type parameters that a function states itself. */
const STATED_BY_FUNCTION = OWN_PARAMETERS + MAX_VARIABLES;

/** `T = TypeVar("T", bound=Item)`: in a function, the name stands for what a call tells. */
export function bindTypeVariable(file: OpenFile, name: string, value: Node | null): void {
  const callee = value?.type === "call" ? value.childForFieldName("function") : null;
  if (!callee || callee.endIndex - callee.startIndex > MAX_HEAD_CHARS || !TYPE_VARIABLE.test(callee.text)) return;
  if (file.typeVariables.size >= MAX_VARIABLES) return;
  const at = OWN_PARAMETERS + file.typeVariables.size;
  file.typeVariables.add(name);
  const bound = value && file.language.aliasedType?.(value);
  file.top.bindType(name, () => [TAG.parameter, at, (bound && file.expressions.type(bound, file.top)) ?? null]);
}

/** `class Store(Generic[T])`, `class Store(Base[T])`, `class Store[T]`: the names stand for the arguments of the class. */
export function bindClassParameters(file: OpenFile, node: Node, scope: Scope): void {
  if (bindStated(file, node, scope, 0)) return;
  const generic = (node.childForFieldName("superclasses")?.namedChildren ?? []).filter(
    ({ type }) => type === "subscript",
  );
  if (generic.length === 0) return;
  const stated = generic.find(({ namedChildren: [head] }) => isNamed(head, STATED));
  const names = (stated ? [stated] : generic)
    .flatMap((each) => each.childrenForFieldName("subscript"))
    .filter(
      (each) => each.type === "identifier" && (stated || file.typeVariables.has(each.text) || USUAL.test(each.text)),
    )
    .map(({ text }) => text);
  const outer = scope.parent ?? scope;
  for (const [at, name] of [...new Set(names)].slice(0, OWN_PARAMETERS).entries())
    scope.bindType(
      name,
      parameter(at, () => boundOf(outer, name)),
    );
}

/** `def first[T: Item](items: list[T])`. */
export function bindFunctionParameters(file: OpenFile, node: Node, scope: Scope): void {
  bindStated(file, node, scope, STATED_BY_FUNCTION);
}

/** `[T: Item, U]` behind the name of a class or function; false: there are none. */
function bindStated(file: OpenFile, node: Node, scope: Scope, first: number): boolean {
  const list = node.childForFieldName("type_parameters");
  for (const [at, { namedChildren }] of (list?.namedChildren ?? []).entries()) {
    const [part] = namedChildren;
    const isBounded = part?.type === "constrained_type";
    const name = isBounded ? part.namedChildren[0] : part;
    const bound = isBounded ? part.namedChildren[1] : undefined;
    if (name)
      scope.bindType(
        name.text,
        parameter(first + at, () => bound && file.expressions.type(bound, scope)),
      );
  }
  return list !== null;
}

function parameter(at: number, bound: Meaning): Meaning {
  return () => [TAG.parameter, at, bound() ?? null];
}

function boundOf(outer: Scope, name: string): Expression | undefined {
  const meaning = outer.type(name);
  if (meaning?.[0] === TAG.parameter) return meaning[2] ?? undefined;
  return meaning?.[0] === TAG.import ? [TAG.ofType, meaning, []] : undefined;
}

function isNamed(node: Node | undefined, names: RegExp): boolean {
  return node !== undefined && node.endIndex - node.startIndex <= MAX_HEAD_CHARS && names.test(node.text);
}
