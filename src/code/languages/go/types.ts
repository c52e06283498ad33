/** Go: types that are written without a name, and lists of results. */
import { type Expression, TAG, tupleOf } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";

const MAX_FIELDS = 24;
const MAX_RESULTS = 8;

type ReadPart = (part: Node) => Expression | undefined;

/** Undefined for other types, and for a list with a single result. */
export function readGoType(node: Node, read: ReadPart): Expression | undefined {
  const part = (field: string): Expression | null => {
    const found = node.childForFieldName(field);
    return (found && read(found)) ?? null;
  };
  switch (node.type) {
    case "map_type":
      return [TAG.ofType, [TAG.freeName, "map"], [part("key"), part("value")]];
    case "channel_type":
      return [TAG.ofType, [TAG.freeName, "chan"], [part("value")]];
    case "function_type":
      return [TAG.functionType, [], part("result"), null];
    case "struct_type":
      return [TAG.record, fieldsOf(node, read)];
    case "interface_type":
      return [
        TAG.bounds,
        node.namedChildren
          .slice(0, MAX_FIELDS)
          .map(read)
          .filter((each) => each !== undefined),
      ];
    case "parameter_list":
      return resultsOf(node, read);
    default:
      return undefined;
  }
}

/** `(*Node, error)`, `(first, second *Node)`. */
function resultsOf(list: Node, read: ReadPart): Expression | undefined {
  const types = list.namedChildren.flatMap((each) => {
    const type = each.childForFieldName("type");
    return type ? Array<Node>(Math.max(1, each.childrenForFieldName("name").length)).fill(type) : [];
  });
  return types.length < 2 ? undefined : tupleOf(types.slice(0, MAX_RESULTS).map((type) => read(type) ?? null));
}

/** An embedded field has the name of its type. */
function fieldsOf(struct: Node, read: ReadPart): (readonly [string, Expression])[] {
  const fields: (readonly [string, Expression])[] = [];
  for (const field of struct.namedChildren[0]?.namedChildren.slice(0, MAX_FIELDS) ?? []) {
    const type = field.childForFieldName("type");
    const value = type && read(type);
    if (!value) continue;
    const names = field.childrenForFieldName("name").map(({ text }) => text);
    for (const name of names.length > 0 ? names : [/\w+$/.exec(type.text)?.[0] ?? ""]) fields.push([name, value]);
  }
  return fields;
}
