/**
 * Names of PHP with a namespace: `\A\B`, `B\C` after `use A\B`, and names relative to the namespace of the file; classes as
 * values (`A::class`, `'A\B'`), and the fields of classes (`A::$b`).
 */
import { type Expression, TAG } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { PathReader } from "../language.ts";

/** A string that can hardly be anything but the whole name of a class. */
const CLASS_NAME = /^'\\{0,2}([A-Z]\w*(?:\\{1,2}[A-Z]\w*)+|[A-Z][A-Za-z\d]*(?:_[A-Z][A-Za-z\d]*)+)'$/;
const MAX_CHARS = 120;

export function readPhpPath(node: Node, reader: PathReader): Expression | undefined {
  switch (node.type) {
    case "qualified_name":
      return phpName(node.text, reader);
    case "string": {
      const [, name] = (node.endIndex - node.startIndex <= MAX_CHARS && CLASS_NAME.exec(node.text)) || [];
      return name === undefined ? undefined : phpName(`\\${name.replaceAll("\\\\", "\\")}`, reader);
    }
    case "class_constant_access_expression": {
      const [of, name] = node.namedChildren;
      return of && name?.text === "class" ? classOf(of, reader) : undefined;
    }
    case "scoped_property_access_expression": {
      const [of, name] = ["scope", "name"].map((field) => node.childForFieldName(field));
      const owner = of && (/^(self|static)$/.test(of.text) ? reader.self() : classOf(of, reader));
      return owner && name?.type === "variable_name" ? [TAG.member, owner, name.text.slice(1)] : undefined;
    }
    default:
      return undefined;
  }
}

function classOf(node: Node, reader: PathReader): Expression | undefined {
  if (node.type === "qualified_name") return phpName(node.text, reader);
  return node.type === "name" ? reader.lookUp(node.text) : undefined;
}

/** The class or function of a name as it is written. */
export function phpName(text: string, reader: PathReader): Expression | undefined {
  const [head = "", ...rest] = text.split("\\");
  const name = rest.pop();
  if (name === undefined) return reader.lookUp(head);
  // PHP itself writes `namespace\A` for a name relative to that of the file.
  if (head === "" || head === "namespace")
    return reader.import((head === "" ? rest : [head, ...rest]).join("\\"), name);
  const imported = reader.lookUp(head);
  const from = imported?.[0] === TAG.import ? reader.importOf(imported[1]) : { source: "namespace", name: head };
  return reader.import([from.source, from.name, ...rest].filter(Boolean).join("\\"), name);
}
