import { KEY, TAG } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import { bindPattern } from "../../expressions/patterns.ts";
import { HIDDEN } from "../../expressions/scopes.ts";
import type { Item } from "../items.ts";
import type { OpenFile } from "../open_file.ts";

/** Binds the names of a loop to the elements that it goes through. */
export function bindLoop(file: OpenFile, item: Item, name: Node): void {
  const { of, node } = item;
  const { scope } = file.frame;
  const keys = node.childForFieldName("operator")?.text === "in";
  const type = file.typing.stated(node);
  const meaning = () => {
    const stated = type && file.expressions.type(type, scope);
    const whole = of && file.expressions.value(of, scope);
    return stated ?? (whole && ([TAG.element, whole] as const));
  };
  bindPattern(file.expressions, name, scope, keys || !of ? HIDDEN : meaning);
}

/** Go: the first name of a loop over a map or a channel. */
export function bindKeys(file: OpenFile, { of }: Item, name: Node): void {
  const { scope } = file.frame;
  scope.bindValue(name.text, () => {
    const whole = of && file.expressions.value(of, scope);
    return whole && [TAG.elementAt, whole, KEY];
  });
}
