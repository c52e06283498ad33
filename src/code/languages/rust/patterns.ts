/**
 * Patterns of Rust: `Some(x)`, `Shape::Circle(ref c)`, `Point { x, y: z }`. The fields of an enumeration's forms are
 * properties of the enumeration: `Circle.0`, `Circle.radius`.
 */

import { type Expression, TAG } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { PathReader, PatternPart } from "../language.ts";
import { readRustPath } from "./paths.ts";

/** Enclose a pattern without changing the value. */
const AROUND = new Set(["match_pattern", "ref_pattern", "mut_pattern", "reference_pattern", "or_pattern"]);
/** Wrappers count as their content. */
const WRAPPERS = new Set(["Some", "Ok"]);

export function readRustPattern(node: Node, reader: () => PathReader): PatternPart[] | undefined {
  const { type, namedChildren } = node;
  if (type === "captured_pattern") return namedChildren.map((pattern) => ({ pattern, value: (whole) => whole }));
  if (type === "tuple_struct_pattern") return tupleParts(node, reader);
  if (type === "struct_pattern") return structParts(node, reader);
  // A name with a capital is a constant or a form without fields.
  if (type === "identifier" && /^[A-Z]/.test(node.text)) return [];
  if (!AROUND.has(type)) return undefined;
  // The condition of an arm follows its pattern; `mut` precedes the name.
  const pattern = type === "match_pattern" || type === "or_pattern" ? namedChildren[0] : namedChildren.at(-1);
  return pattern ? [{ pattern, value: (whole) => whole }] : [];
}

function tupleParts(node: Node, reader: () => PathReader): PatternPart[] {
  const type = node.childForFieldName("type");
  const inner = node.namedChildren.filter((each) => each.id !== type?.id);
  const rest = inner.findIndex((each) => each.type === "remaining_field_pattern");
  return inner.slice(0, rest < 0 ? inner.length : rest).map((pattern, at) => ({
    pattern,
    value: (whole) => type && field(type, String(at), whole, reader),
  })) as PatternPart[];
}

function structParts(node: Node, reader: () => PathReader): PatternPart[] {
  const type = node.childForFieldName("type");
  return node.namedChildren.flatMap((each) => {
    const name = each.type === "field_pattern" ? each.childForFieldName("name") : null;
    if (!name || !type) return [];
    const pattern = each.childForFieldName("pattern") ?? name;
    return [{ pattern, value: (whole) => field(type, name.text, whole, reader) }];
  });
}

function field(type: Node, name: string, whole: Expression | undefined, reader: () => PathReader) {
  const path = type.childForFieldName("path");
  const last = (type.childForFieldName("name") ?? type).text;
  if (path) {
    const outer = (path.childForFieldName("name") ?? path).text;
    const isForm = /^[A-Z]/.test(outer);
    const of = isForm ? pathValue(path, reader()) : readRustPath(type, reader());
    return of && member(of, isForm ? `${last}.${name}` : name);
  }
  if (WRAPPERS.has(last)) return whole;
  const found = reader().lookUp(last);
  const isForm =
    found?.[0] === TAG.freeName ||
    (found?.[0] === TAG.import && /(^|::)[A-Z]\w*$/.test(reader().importOf(found[1]).source));
  if (isForm) return whole && member(whole, `${last}.${name}`);
  return found && member(found, name);
}

function pathValue(node: Node, reader: PathReader): Expression | undefined {
  return node.childForFieldName("name") ? readRustPath(node, reader) : reader.lookUp(node.text);
}

function member(of: Expression, name: string): Expression {
  return [TAG.member, of, name];
}
