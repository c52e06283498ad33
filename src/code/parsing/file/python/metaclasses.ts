import { METACLASS } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { OpenFile } from "../open_file.ts";

/** Python: `class Item(metaclass=Kind)`, where the argument is the one of this name. */
export function addMetaclass(file: OpenFile, argument: Node): void {
  const { slot, scope } = file.frame;
  const stated = argument.childForFieldName("value");
  if (!stated || slot < 0 || argument.childForFieldName("name")?.text !== "metaclass") return;
  file.later(() => {
    const value = file.expressions.value(stated, scope);
    if (value) file.facts.properties.push({ owner: slot, name: METACLASS, value });
  });
}
