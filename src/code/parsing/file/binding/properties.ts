/** Members of a type that no named declaration states: fields without a name, and the variants of an enumeration. */
import { EACH, type Expression, TAG } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import { MAX_NAME_CHARS } from "../definitions/definitions.ts";
import type { OpenFile } from "../open_file.ts";
import { positionName } from "../rust/positions.ts";

/** Rust: a field without a name is named by its position, and a field of an enumeration's form also by the form. */
export function addPosition(file: OpenFile, type: Node): void {
  const { slot: owner, scope } = file.frame;
  addProperty(file, owner, positionName(type), () => file.expressions.type(type, scope));
}

/** Go: a field without a name has that of its type. */
export function addEmbedded(file: OpenFile, field: Node): void {
  const type = file.typing.stated(field);
  const { slot: owner, scope } = file.frame;
  const name = type && /(\w+)(?:\[.*)?$/s.exec(type.text.slice(0, MAX_NAME_CHARS))?.[1];
  if (name) addProperty(file, owner, name, () => file.expressions.type(type, scope));
}

/** Rust: one form of an enumeration is a value of it. */
export function addVariant(file: OpenFile, name: Node): void {
  const { slot } = file.frame;
  addProperty(file, slot, name.text, () => [TAG.instance, slot]);
  if (file.language.family === "php") addProperty(file, slot, EACH, () => [TAG.instance, slot]);
}

export function addProperty(file: OpenFile, owner: number, name: string, value: () => Expression | undefined): void {
  if (owner < 0) return;
  file.later(() => {
    const found = value();
    if (found) file.facts.properties.push({ owner, name, value: found });
  });
}
