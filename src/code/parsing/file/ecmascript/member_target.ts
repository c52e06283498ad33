/**
 * Tells what an assignment to a member defines in JavaScript: an export of a CommonJS module, a method of a
 * constructor's prototype, or a member of an object or of `this`.
 */
import type { Node } from "../../../syntax/tree.ts";

export type MemberTarget =
  /** `module.exports = …`: the value of the whole module. */
  | { kind: "module" }
  /** `exports.x = …` and `module.exports.x = …`. */
  | { kind: "export"; name: string }
  /** `Type.prototype.x = …`; without a name `Type.prototype = …`. */
  | { kind: "prototype"; type: string; name?: string }
  /** `object.x = …`. */
  | { kind: "member"; object: string; name: string }
  /** `this.x = …`. */
  | { kind: "this"; name: string };

export function memberTarget(left: Node): MemberTarget | undefined {
  const object = left.childForFieldName("object");
  const name = left.childForFieldName("property")?.text;
  if (!object || name === undefined) return undefined;
  if (object.type === "this") return { kind: "this", name };
  if (object.type === "identifier") return ofIdentifier(object.text, name);
  if (object.type !== "member_expression") return undefined;
  if (isModuleExports(object)) return { kind: "export", name };
  const outer = object.childForFieldName("object");
  const isPrototype = object.childForFieldName("property")?.text === "prototype" && outer?.type === "identifier";
  return isPrototype ? { kind: "prototype", type: outer.text, name } : undefined;
}

function ofIdentifier(object: string, name: string): MemberTarget {
  if (object === "exports") return { kind: "export", name };
  if (object === "module" && name === "exports") return { kind: "module" };
  return name === "prototype" ? { kind: "prototype", type: object } : { kind: "member", object, name };
}

/** The value at the end of `a = b = value`, and whether one of the names before it is the module's export. */
export function assignedValue(value: Node): { value: Node; isModule: boolean } {
  let at = unwrapped(value);
  let isModule = false;
  while (at.type === "assignment_expression") {
    const left = at.childForFieldName("left");
    const right = at.childForFieldName("right");
    if (!left || !right) break;
    isModule ||= isModuleExports(left);
    at = unwrapped(right);
  }
  return { value: at, isModule };
}

/** Whether a variable with this value is the object that the module exports. */
export function isModuleValue(value: Node): boolean {
  const assigned = assignedValue(value);
  return assigned.isModule || isModuleExports(assigned.value);
}

/** The object that the module exports itself, or one in place: `module.exports = { … }`. */
export function isModuleObject(value: Node): boolean {
  const { value: assigned, isModule } = assignedValue(value);
  return isModuleExports(assigned) || (isModule && assigned.type === "object");
}

function unwrapped(value: Node): Node {
  const inner = value.type === "parenthesized_expression" ? value.namedChildren[0] : undefined;
  return inner ?? value;
}

/** `module.exports`, `exports` */
function isModuleExports(node: Node): boolean {
  if (node.type === "identifier") return node.text === "exports";
  return (
    node.type === "member_expression" &&
    node.childForFieldName("object")?.text === "module" &&
    node.childForFieldName("property")?.text === "exports"
  );
}

/** The type whose instances have this value as their prototype: `Object.create(Base.prototype)`, `new Base()`. */
export function prototypeOf(value: Node): Node | undefined {
  if (value.type === "new_expression") return value.childForFieldName("constructor") ?? undefined;
  if (value.type !== "call_expression" || value.childForFieldName("function")?.text !== "Object.create")
    return undefined;
  const given = value.childForFieldName("arguments")?.namedChildren[0];
  const isPrototype = given?.type === "member_expression" && given.childForFieldName("property")?.text === "prototype";
  return isPrototype ? (given.childForFieldName("object") ?? undefined) : undefined;
}
