/** Calls of Ruby that make a class or module without a name of its own. */
import type { Node } from "../../syntax/tree.ts";

const MAKES = /^(Class|Module|Struct|Data)$/;
const BODY = /^(block_body|body_statement)$/;

/** Whether the call makes a class or module, whose block is its body: `Class.new`, `Struct.new`. */
export function makesType(call: Node): boolean {
  if (call.type !== "call" || !MAKES.test(call.childForFieldName("receiver")?.text ?? "")) return false;
  return /^(new|define)$/.test(call.childForFieldName("method")?.text ?? "");
}

/** `Class.new(Base)` and `Module.new { include Base }`: the base, which the new class or module is read as. */
export function baseOfNew(call: Node): Node | undefined {
  if (!makesType(call)) return undefined;
  const made = call.childForFieldName("receiver")?.text;
  if (made === "Class") {
    const base = call.childForFieldName("arguments")?.namedChildren[0];
    if (base) return base;
  }
  return made === "Class" || made === "Module" ? included(call) : undefined;
}

function included(call: Node): Node | undefined {
  const body = call.childForFieldName("block")?.namedChildren.find(({ type }) => BODY.test(type));
  for (const statement of body?.namedChildren ?? []) {
    const isPlain = statement.type === "call" && !statement.childForFieldName("receiver");
    const [module] = isPlain ? (statement.childForFieldName("arguments")?.namedChildren ?? []) : [];
    const isNamed = module?.type === "constant" || module?.type === "scope_resolution";
    if (isNamed && statement.childForFieldName("method")?.text === "include") return module;
  }
  return undefined;
}
