/** C#: types that other languages write in another way: delegates of the library, tuples with names, types in types. */
import { type Expression, TAG } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { ParameterTypes } from "../language.ts";

type ReadPart = (node: Node) => Expression | undefined;

/** A delegate has at most sixteen parameters. */
const MAX_PARAMETERS = 16;
const MAX_ELEMENTS = 8;
const PASSED_ON = /^(?:Expression|Nullable)$/;
/** Delegates of the library: those with a result as their last argument, and those without. */
const WITH_RESULT = /^(?:Func|Converter)$/;
const WITHOUT_RESULT = /^(?:Action|Predicate|Comparison|EventHandler)$/;

export function readCsharpType(node: Node, read: ReadPart): Expression | undefined {
  switch (node.type) {
    case "tuple_type":
      return [TAG.record, node.namedChildren.slice(0, MAX_ELEMENTS).flatMap((each, at) => element(each, at, read))];
    case "qualified_name":
      return nestedType(node, read);
    case "generic_name":
      return delegate(node, read);
    default:
      return undefined;
  }
}

/** `(Item item, Rec)`: each element has a name by its position, and may have one of its own. */
function element(node: Node, at: number, read: ReadPart): [string, Expression][] {
  const [type, name] = [node.childForFieldName("type"), node.childForFieldName("name")];
  const value = type && read(type);
  if (!value) return [];
  return name ? [elementNamed(at, value), [name.text, value]] : [elementNamed(at, value)];
}

export function elementNamed(at: number, value: Expression): [string, Expression] {
  return [`Item${at + 1}`, value];
}

/** `System.Collections.Generic.List<Rec>`, `Outer.Inner<T>`. */
function nestedType(node: Node, read: ReadPart): Expression | undefined {
  const [outer, name] = [node.childForFieldName("qualifier"), node.childForFieldName("name")];
  if (!outer || name?.type !== "generic_name") return undefined;
  const type = read(name);
  if (/^System\b/.test(outer.text) || type?.[0] !== TAG.ofType) return type;
  const of = read(outer);
  return of?.[0] === TAG.ofType ? [TAG.ofType, [TAG.member, of[1], name.namedChildren[0]?.text ?? ""], type[2]] : type;
}

function delegate(node: Node, read: ReadPart): Expression | undefined {
  const name = node.namedChildren[0]?.text ?? "";
  const given = node.namedChildren.find(({ type }) => type === "type_argument_list")?.namedChildren;
  if (!given?.[0]) return undefined;
  if (PASSED_ON.test(name) && given.length === 1) return read(given[0]);
  const hasResult = WITH_RESULT.test(name);
  if (!hasResult && !WITHOUT_RESULT.test(name)) return undefined;
  const types = given.slice(0, MAX_PARAMETERS + 1).map((each) => read(each) ?? null);
  const result = hasResult ? (types.pop() ?? null) : null;
  const parameters = name === "Comparison" ? [...types, ...types] : name === "EventHandler" ? [null, ...types] : types;
  return [TAG.functionType, parameters, result, null];
}

/** The types of a method's parameters; those of the language itself tell nothing. */
export function csharpParameters(fn: Node): ParameterTypes | undefined {
  const list = fn.childForFieldName("parameters");
  if (!list) return undefined;
  const types = list.namedChildren
    .filter(({ type }) => type === "parameter")
    .slice(0, MAX_PARAMETERS)
    .map((each) => stated(each.childForFieldName("type")));
  // `params Rec[] all` is written without a node of its own.
  const rest = list.childForFieldName("type");
  return types.some(Boolean) || rest ? { types, rest: rest?.type === "array_type" ? rest : null } : undefined;
}

function stated(type: Node | null): Node | null {
  return type?.type === "predefined_type" ? null : type;
}
