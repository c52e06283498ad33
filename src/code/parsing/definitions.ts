/** A definition as a fact: its names, its head, its lines, its hash. */
import { hash } from "node:crypto";
import type { Node } from "web-tree-sitter";
import type { EntityKind } from "../../store/code.ts";
import type { FileFacts } from "../facts.ts";
import type { Language } from "../languages/language.ts";
import { signatureOf } from "./signature.ts";

export const LONGEST_NAME = 200;
const MOST_ENTITIES = 20_000;

export interface Definition {
  kind: EntityKind;
  name: string;
  node: Node;
  body: Node | null;
  /** Slot of what it stands in; -1: the file. */
  parent: number;
}

/** Returns its slot; -1 when the file has more of them than any that people write. */
export function addDefinition(
  { entities }: FileFacts,
  language: Language,
  text: string,
  definition: Definition,
): number {
  const { kind, name, node, body, parent } = definition;
  if (entities.length >= MOST_ENTITIES) return -1;
  const outer = outermost(node, language);
  const above = entities[parent];
  const short = name.slice(0, LONGEST_NAME);
  entities.push({
    kind,
    name: short,
    qualified: above ? `${above.qualified}.${short}` : short,
    parent,
    exported: above
      ? above.exported && (kind === "method" || above.kind === "module") && !short.startsWith("#")
      : language.isExported(node, short),
    signature: signatureOf(text.slice(outer.startIndex, body?.startIndex ?? outer.endIndex), kind),
    doc: "",
    first: outer.startPosition.row + 1,
    last: outer.endPosition.row + 1,
    hash: hash("sha1", text.slice(outer.startIndex, outer.endIndex), "hex").slice(0, 16),
  });
  return entities.length - 1;
}

function outermost(node: Node, language: Language): Node {
  let outer = node;
  const { wrappers } = language.nodes;
  while (outer.parent && wrappers.has(outer.parent.type)) outer = outer.parent;
  return outer;
}

/** Written in the node with this id directly, whatever stands around the definition or around what it is part of. */
export function isInside(node: Node, id: number, language: Language): boolean {
  const { around, casts, wrappers } = language.nodes;
  let container = node.parent;
  while (container && wrappers.has(container.type)) container = container.parent;
  let at = container?.parent ?? null;
  while (at && (around.has(at.type) || casts.has(at.type))) at = at.parent;
  return at?.id === id || container?.id === id;
}
