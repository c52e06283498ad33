/** Names of PHP with a namespace: `\A\B`, `B\C` after `use A\B`, and names relative to the namespace of the file. */
import { type Expression, TAG } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { PathReader } from "../language.ts";

export function readPhpPath(node: Node, reader: PathReader): Expression | undefined {
  return node.type === "qualified_name" ? phpName(node.text, reader) : undefined;
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
