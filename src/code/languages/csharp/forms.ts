/** C#: values of forms that other languages do not have. */
import { type Expression, listOf, TAG } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { ValueReaders } from "../language.ts";
import { elementNamed } from "./types.ts";

const MAX_ELEMENTS = 8;
const MAX_ARMS = 8;

export function readCsharpForm(node: Node, readers: ValueReaders): Expression | undefined {
  const [first] = node.namedChildren;
  switch (node.type) {
    case "generic_name":
      return generic(node, readers);
    case "postfix_unary_expression":
    case "with_expression":
    case "checked_expression":
    case "ref_expression":
      return first && readers.value(first);
    case "default_expression":
    case "array_creation_expression": {
      const type = node.childForFieldName("type");
      return type ? readers.type(type) : undefined;
    }
    case "implicit_array_creation_expression":
      return first && listOf(firstKnownOf(first.namedChildren, readers) ?? null);
    case "collection_expression":
      return listOf(firstKnownOf(elementsOf(node), readers) ?? null);
    case "tuple_expression":
      return tuple(node, readers);
    case "anonymous_object_creation_expression":
      return anonymous(node, readers);
    case "switch_expression":
      return firstKnownOf(
        node.namedChildren
          .filter(({ type }) => type === "switch_expression_arm")
          .flatMap((arm) => arm.namedChildren.at(-1) ?? []),
        readers,
      );
    default:
      return undefined;
  }
}

/** `Box<Rec>.Of()` is a member of the type; `Create<Rec>()` calls a method, whose type arguments belong to the call. */
function generic(node: Node, readers: ValueReaders): Expression | undefined {
  const { parent } = node;
  const isType = parent?.type === "member_access_expression" && parent.childForFieldName("expression")?.id === node.id;
  const [name] = node.namedChildren;
  return isType ? readers.type(node) : name && readers.value(name);
}

function firstKnownOf(nodes: readonly Node[], { value }: ValueReaders): Expression | undefined {
  for (const each of nodes.slice(0, MAX_ARMS)) {
    const found = value(each);
    if (found && found[0] !== TAG.freeName) return found;
  }
  return undefined;
}

/** `[a, b]`, without `..others`. */
function elementsOf(node: Node): Node[] {
  return node.namedChildren.flatMap((each) => {
    const inner = each.namedChildren[0];
    return inner?.type === "expression_element" ? (inner.namedChildren[0] ?? []) : [];
  });
}

/** `(r, r.Item, last: x)`. */
function tuple(node: Node, { value }: ValueReaders): Expression | undefined {
  const members = node.namedChildren.slice(0, MAX_ELEMENTS).flatMap((each, at): [string, Expression][] => {
    const content = each.namedChildren.at(-1);
    const found = content && value(content);
    if (!found) return [];
    const name = each.childForFieldName("name")?.text ?? impliedName(content);
    return name === undefined ? [elementNamed(at, found)] : [elementNamed(at, found), [name, found]];
  });
  return members.length > 0 ? [TAG.record, members] : undefined;
}

/** `new { r.Item, Rec = r }`. */
function anonymous(node: Node, { value }: ValueReaders): Expression | undefined {
  const members: [string, Expression][] = [];
  const parts = node.children;
  for (const [at, part] of parts.entries()) {
    if (members.length >= MAX_ELEMENTS) break;
    if (!/^[{,]$/.test(part.type)) continue;
    const [first, sign, second] = parts.slice(at + 1, at + 4);
    const content = sign?.type === "=" ? second : first;
    const name = sign?.type === "=" ? first?.text : first && impliedName(first);
    const found = content && name !== undefined ? value(content) : undefined;
    if (found && name !== undefined) members.push([name, found]);
  }
  return members.length > 0 ? [TAG.record, members] : undefined;
}

/** A part without a name has that of the variable or member that it is. */
function impliedName(node: Node): string | undefined {
  if (node.type === "identifier") return node.text;
  return node.type === "member_access_expression" ? node.childForFieldName("name")?.text : undefined;
}
