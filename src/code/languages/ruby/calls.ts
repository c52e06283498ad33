/** Calls of Ruby that make a class without a name of its own. */
import type { Node } from "../../syntax/tree.ts";

/** `Class.new(Base)`: the base, which the new class is read as. */
export function baseOfNew(call: Node): Node | undefined {
  if (call.type !== "call" || call.childForFieldName("receiver")?.text !== "Class") return undefined;
  if (call.childForFieldName("method")?.text !== "new") return undefined;
  return call.childForFieldName("arguments")?.namedChildren[0];
}
