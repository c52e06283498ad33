/** C++: how many arguments a function takes, and how many a call has. */
import type { Node } from "../../syntax/tree.ts";

/** Declarators inside each other: `T *&name(…)`. */
const MAX_DECLARATORS = 6;
/** The greatest number of a function that takes any. */
const ANY = 1000;
const OPTIONAL = /^(optional|variadic)_parameter_declaration$/;

export function parameterCount(node: Node): [number, number] | undefined {
  let at = node.childForFieldName("declarator");
  for (let level = 0; at && at.type !== "function_declarator" && level < MAX_DECLARATORS; level += 1)
    at = at.childForFieldName("declarator") ?? at.namedChildren.at(-1) ?? null;
  const list = at?.type === "function_declarator" ? at.childForFieldName("parameters") : null;
  if (!list) return undefined;
  const all = list.namedChildren.filter(({ type }) => type !== "comment");
  if (all.length === 1 && all[0]?.text === "void") return [0, 0];
  const least = all.filter(({ type }) => !OPTIONAL.test(type)).length;
  const isOpen = all.some(({ type }) => type.startsWith("variadic")) || /\.\.\.\s*\)$/.test(list.text);
  return [least, isOpen ? ANY : all.length];
}

/** Undefined for a call whose arguments a pack makes. */
export function argumentCount(node: Node): number | undefined {
  const list = node.type === "call_expression" ? node.childForFieldName("arguments") : null;
  if (!list) return undefined;
  const all = list.namedChildren.filter(({ type }) => type !== "comment");
  return all.some(({ type }) => type === "parameter_pack_expansion") ? undefined : all.length;
}
